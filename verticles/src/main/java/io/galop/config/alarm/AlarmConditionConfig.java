package io.galop.config.alarm;

/** When an alarm is raised. */
public sealed interface AlarmConditionConfig
    permits ExpressionConfig, LimitConfig, RateConfig, SilenceConfig {

  /** Checks the name of a field. */
  static void requireField(String field) {
    if (field.isBlank()) {
      throw new IllegalArgumentException("field must be the name of a field of data, not empty");
    }
  }
}
