package io.galop.config.alarm;

import io.galop.config.alarm.AlarmRuleConfig.Severity;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Somebody who is told of alarms that nobody has acknowledged. */
public record AlarmTargetConfig(
    @Doc("Its name in metrics, logs and records.") String name,
    @Doc("How it is told.") AlarmWayConfig by,
    @Doc("Only of these rules; empty: of all.") @Default("[]") List<String> rules,
    @Doc("Only of alarms as bad as this.") @Default("low") Severity atLeast,
    @Doc("Only if nobody has acknowledged for so long.") @Default("0") @Range(min = 0, max = 10_080)
        int afterMinutes,
    @Doc("So long alarms are gathered, to be told in one message.")
        @Default("2000")
        @Range(min = 0, max = 3_600_000)
        long groupMs,
    @Doc("Longest pause after failures; the first is a second.")
        @Default("60000")
        @Range(min = 1_000, max = 3_600_000)
        long maxBackoffMs,
    @Doc("Most alarms that wait to be told; the oldest are counted and left out.")
        @Default("10000")
        @Range(min = 1, max = 1_000_000)
        int maxWaiting) {
  public AlarmTargetConfig {
    rules = List.copyOf(rules);
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw new IllegalArgumentException(
          "name must be 1 to 64 letters, digits, '.', '_' or '-', not '" + name + "'");
    }
  }

  /** Whether it is told of an alarm at all. */
  public boolean wants(String rule, Severity severity) {
    return severity.compareTo(atLeast) <= 0 && (rules.isEmpty() || rules.contains(rule));
  }
}
