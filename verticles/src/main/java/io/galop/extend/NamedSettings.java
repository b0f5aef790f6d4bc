package io.galop.extend;

import io.galop.guest.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a program says in a comment on its first lines that it wants to be told: {@code settings:
 * topic, everyMs, high?}, where a question mark stands behind what may be left out.
 */
final class NamedSettings {
  private static final int FIRST_LINES = 20;
  private static final Pattern COMMENT =
      Pattern.compile("\\s*(?://|#)\\s*settings:\\s*(\\w+\\??(?:\\s*,\\s*\\w+\\??)*)\\s*");

  private NamedSettings() {}

  /** Those that must be given and are not. */
  static List<String> missing(SourceFile file, Set<String> given) {
    List<String> missing = new ArrayList<>();
    file.text()
        .lines()
        .limit(FIRST_LINES)
        .map(COMMENT::matcher)
        .filter(Matcher::matches)
        .findFirst()
        .ifPresent(
            comment -> {
              for (String name : comment.group(1).split("\\s*,\\s*")) {
                if (!name.endsWith("?") && !given.contains(name)) {
                  missing.add(name);
                }
              }
            });
    return missing;
  }
}
