package io.galop.enrich.script;

import io.galop.config.enrich.ScriptConfig;
import io.galop.jvm.ErrorText;
import java.util.Optional;

/** Tries a script out before anything is started. */
public final class ScriptCheck {
  private ScriptCheck() {}

  /** What is wrong with a script, where, and what to do; empty if it can be started. */
  public static Optional<String> problem(ScriptConfig config, String directory, int maxTopicBytes) {
    try {
      TopicStates states = new TopicStates(TopicStates.Bounds.of(config), () -> {});
      Script.open(config, directory, maxTopicBytes, states).close();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(ErrorText.of(e));
    }
  }
}
