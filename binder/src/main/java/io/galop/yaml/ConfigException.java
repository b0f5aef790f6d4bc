package io.galop.yaml;

import java.util.List;

/** A file that is refused; each problem names the dotted path, the rule and the value. */
public final class ConfigException extends RuntimeException {
  private final transient List<String> problems;

  public ConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** All problems found, one sentence each. */
  public List<String> problems() {
    return problems;
  }
}
