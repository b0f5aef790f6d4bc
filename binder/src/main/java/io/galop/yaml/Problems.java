package io.galop.yaml;

import java.util.ArrayList;
import java.util.List;

/** Everything that is wrong with a configuration, so that it is told at once and not one by one. */
public final class Problems {
  private final List<String> found = new ArrayList<>();

  /**
   * Adds {@code path: rule (origin)}.
   *
   * @param path the dotted path; empty where the problem is not with one key
   * @param rule what is allowed and what was given
   * @param origin where it was written; empty where nothing was written
   */
  public void add(String path, String rule, String origin) {
    String where = path.isEmpty() ? "" : path + ": ";
    String source = origin.isEmpty() ? "" : " (" + origin + ")";
    found.add(where + rule + source);
  }

  int count() {
    return found.size();
  }

  /** Ends the start when there is any. */
  public void refuse() {
    if (!found.isEmpty()) {
      throw new ConfigException(found);
    }
  }
}
