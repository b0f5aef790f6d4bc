package io.galop.alarm;

import io.galop.config.GalopConfig;
import io.galop.config.alarm.AlarmRuleConfig;
import io.galop.expression.ExpressionFailure;
import java.util.ArrayList;
import java.util.List;

/** Tries the expressions of rules, before anything is started. */
public final class AlarmCheck {
  private AlarmCheck() {}

  /**
   * Compiles them; blocks.
   *
   * @return what is wrong, each a sentence that begins with a dotted path
   */
  public static List<String> problems(GalopConfig config) {
    List<String> problems = new ArrayList<>();
    List<AlarmRuleConfig> rules = config.alarms().rules();
    for (int i = 0; i < rules.size(); i++) {
      try {
        AlarmRule.of(rules.get(i));
      } catch (ExpressionFailure wrong) {
        problems.add("alarms.rules[%d].when.expression.cel: %s".formatted(i, wrong.detail()));
      }
    }
    return problems;
  }
}
