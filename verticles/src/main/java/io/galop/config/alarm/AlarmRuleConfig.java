package io.galop.config.alarm;

import io.galop.record.TopicFilter;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Words;

/** A condition on topics, each of which has an alarm of its own. */
public record AlarmRuleConfig(
    @Doc("Its name, a level of $alarm/<rule>/<topic>.") String name,
    @Doc("The filter of the topics.") String topics,
    @Doc("When it is raised.") AlarmConditionConfig when,
    @Doc("So long the condition has to hold first.") @Default("0") @Range(min = 0, max = 86_400_000)
        long forMs,
    @Doc("How bad it is.") @Default("medium") Severity severity,
    @Doc("What it says; {topic}, {value}, {rule} and {level.N} are filled in, N counted from 1.")
        @Default("{rule}: {topic} {value}")
        String text,
    @Doc("A rule whose alarm on the same topic suppresses this one while it is active.")
        @Default("")
        String parent) {
  /** The longest filter of a rule, in bytes. */
  private static final int MAX_FILTER_BYTES = 4096;

  private static final int MAX_TEXT = 500;

  /** How bad an alarm is; the worst first. */
  public enum Severity {
    CRITICAL,
    HIGH,
    MEDIUM,
    LOW;

    /** As it is written in the configuration and in records. */
    public String word() {
      return Words.of(this);
    }
  }

  public AlarmRuleConfig {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw new IllegalArgumentException(
          "name must be 1 to 64 letters, digits, '.', '_' or '-', not '" + name + "'");
    }
    try {
      TopicFilter.parse(topics, MAX_FILTER_BYTES);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("topics must be a filter: " + e.getMessage(), e);
    }
    if (topics.startsWith("$alarm")) {
      throw new IllegalArgumentException("topics must not be of alarms, as '" + topics + "' is");
    }
    if (text.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          "text must not be longer than " + MAX_TEXT + " characters");
    }
    if (when instanceof SilenceConfig && forMs > 0) {
      throw new IllegalArgumentException("forMs must be 0 with silence, which has its silentMs");
    }
  }

  /** The topics. */
  public TopicFilter filter() {
    return TopicFilter.parse(topics, MAX_FILTER_BYTES);
  }
}
