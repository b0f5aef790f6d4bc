package io.galop.loadtest.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects what is wrong with a file, so that all of it can be told at once. */
final class Problems {
  private final Path file;
  private final List<String> all = new ArrayList<>();

  Problems(Path file) {
    this.file = file;
  }

  /**
   * Something is wrong.
   *
   * @param at where
   * @param key the path of the key, as in {@code goal.p99Ms}
   */
  public void add(Node at, String key, String what) {
    int line = at.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    all.add(file + ":" + line + ": " + key + ": " + what);
  }

  void add(String what) {
    all.add(file + ": " + what);
  }

  void throwIfAny() throws ScenarioException {
    if (!all.isEmpty()) {
      throw new ScenarioException(all);
    }
  }
}
