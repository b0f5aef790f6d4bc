package io.galop.alarm;

import io.galop.config.alarm.AlarmConditionConfig;
import io.galop.config.alarm.AlarmRuleConfig;
import io.galop.config.alarm.AlarmRuleConfig.Severity;
import io.galop.config.alarm.ExpressionConfig;
import io.galop.config.alarm.LimitConfig;
import io.galop.config.alarm.RateConfig;
import io.galop.config.alarm.SilenceConfig;
import io.galop.expression.ExpressionFailure;
import io.galop.expression.RecordFilter;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.util.Optional;

/**
 * A rule that can be asked; immutable.
 *
 * @param field whose value it is about; empty if there is none
 * @param expression of a rule that has one
 */
record AlarmRule(
    AlarmRuleConfig config, TopicFilter filter, String field, Optional<RecordFilter> expression) {

  /**
   * Compiles a rule; takes milliseconds with an expression.
   *
   * @throws ExpressionFailure saying at which column what is wrong
   */
  static AlarmRule of(AlarmRuleConfig config) throws ExpressionFailure {
    AlarmConditionConfig when = config.when();
    Optional<RecordFilter> expression = Optional.empty();
    if (when instanceof ExpressionConfig one) {
      expression = Optional.of(RecordFilter.of(one.cel()));
    }
    return new AlarmRule(config, config.filter(), field(when), expression);
  }

  private static String field(AlarmConditionConfig when) {
    if (when instanceof LimitConfig limit) {
      return limit.field();
    } else if (when instanceof RateConfig rate) {
      return rate.field();
    }
    return when instanceof ExpressionConfig expression ? expression.field() : "";
  }

  String name() {
    return config.name();
  }

  Severity severity() {
    return config.severity();
  }

  boolean matches(String topic) {
    return filter.matches(topic) && !topic.startsWith(Topic.ALARM);
  }

  /** For how long nothing may come; 0 of a rule that is about something else. */
  long silentMs() {
    return config.when() instanceof SilenceConfig silence ? silence.silentMs() : 0;
  }

  /** The rule's text with the values filled in. */
  String text(String topic, String value) {
    String text =
        config.text().replace("{rule}", name()).replace("{topic}", topic).replace("{value}", value);
    if (!text.contains("{level.")) {
      return text;
    }
    String[] levels = topic.split("/", -1);
    for (int i = 0; i < levels.length; i++) {
      text = text.replace("{level." + (i + 1) + "}", levels[i]);
    }
    return text;
  }
}
