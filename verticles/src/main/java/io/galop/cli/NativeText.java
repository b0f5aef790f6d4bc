package io.galop.cli;

import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Text that comes to the process in the encoding of its locale: arguments, variables, names of
 * files. What that encoding does not have is U+FFFD when Java hands it over. So with the locale C,
 * which services and containers often have, a topic and its data would be published as others.
 *
 * @param encoding in which Java reads it
 */
public record NativeText(String encoding) {
  private static final char UNREADABLE = '\ufffd';
  private static final String OURS = "GALOP_";

  /** As of this process. */
  public static NativeText ofProcess() {
    return new NativeText(System.getProperty("sun.jnu.encoding", "UTF-8"));
  }

  /**
   * What cannot be relied on, a sentence; empty: nothing.
   *
   * @param directory in which the process was started
   */
  public Optional<String> problem(
      List<String> arguments, Map<String, String> variables, String directory) {
    if (encoding.equals("UTF-8")) {
      return Optional.empty(); // who gives U+FFFD means it
    }
    for (int i = 0; i < arguments.size(); i++) {
      if (isUnreadable(arguments.get(i))) {
        return sentence("argument %d, '%s',".formatted(i + 1, arguments.get(i)));
      }
    }
    for (Map.Entry<String, String> each : new TreeMap<>(variables).entrySet()) {
      if (each.getKey().startsWith(OURS) && isUnreadable(each.getValue())) {
        return sentence("the variable " + each.getKey());
      }
    }
    return isUnreadable(directory)
        ? sentence("the working directory, '%s',".formatted(directory))
        : Optional.empty();
  }

  private static boolean isUnreadable(String text) {
    return text.indexOf(UNREADABLE) >= 0;
  }

  private Optional<String> sentence(String what) {
    return Optional.of(
        what
            + " has characters that the locale's encoding, %s, does not have; start galop with LC_ALL=C.UTF-8"
                .formatted(encoding));
  }

  /** What is wrong with a path that Java does not take. */
  public String problem(InvalidPathException wrong) {
    boolean isOfLocale = !encoding.equals("UTF-8") && !wrong.getInput().contains("\0");
    return isOfLocale
        ? sentence("the path '%s'".formatted(wrong.getInput())).orElseThrow()
        : "the path '%s' is none: %s".formatted(wrong.getInput(), wrong.getReason());
  }
}
