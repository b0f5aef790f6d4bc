package io.galop.alarm;

import io.galop.alarm.Judge.Verdict;
import io.galop.config.alarm.AlarmsConfig;
import io.galop.expression.ExpressionFailure;
import io.galop.expression.RecordFilter;
import io.galop.json.JsonField;
import io.galop.record.Record;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many topics and alarms a node has, against the most that it may. What finds no room is
 * counted and tried again: a topic with its next record, an alarm with each tick as long as its
 * condition holds. Belongs to the loop of alarms.
 */
final class AlarmRoom {
  private final AlarmsConfig config;
  private final AlarmMeters meters;

  /** What looks into records, one at a time, by the name of the field. */
  private final Map<String, JsonField> fields = new HashMap<>();

  private int standing;
  private boolean wasRefused;

  /** Of a node; counts in its registry. */
  static AlarmRoom of(AlarmsConfig config, MeterRegistry registry) {
    return new AlarmRoom(config, new AlarmMeters(registry));
  }

  AlarmRoom(AlarmsConfig config, AlarmMeters meters) {
    this.config = config;
    this.meters = meters;
  }

  AlarmMeters meters() {
    return meters;
  }

  /** How many records may wait to be looked at. From any thread. */
  int maxWaiting() {
    return config.maxWaiting();
  }

  /** Whether another topic may be remembered. */
  boolean hasTopicRoom() {
    return meters.topics().get() < config.maxTopics();
  }

  /** Whether another topic may be remembered, which it then is. */
  boolean takeTopic() {
    if (!hasTopicRoom()) {
      meters.unwatched();
      return false;
    }
    meters.topics().incrementAndGet();
    return true;
  }

  void leaveTopics(int count) {
    meters.topics().addAndGet(-count);
  }

  /** Whether the alarm of a rule may stand, too. */
  boolean hasRoom(RuleWatch rule) {
    if (standing < config.maxStanding()) {
      return true;
    }
    if (rule.waitsForRoom()) {
      meters.refused();
    }
    wasRefused = true;
    return false;
  }

  /** Whether an alarm was refused since this was asked last. */
  boolean wasRefused() {
    boolean was = wasRefused;
    wasRefused = false;
    return was;
  }

  /** Alarms that are here when a shard comes, or go with it. */
  void here(AlarmState state, int count) {
    if (state.stands()) {
      standing += count;
      meters.here(state, count);
    }
  }

  void changed(AlarmState before, AlarmState now) {
    standing += (now.stands() ? 1 : 0) - (before.stands() ? 1 : 0);
    meters.changed(before, now);
  }

  /** What finds a rule's field in a record, the same for all rules about it; none without one. */
  @Nullable JsonField field(AlarmRule rule) {
    return rule.field().isEmpty() ? null : fields.computeIfAbsent(rule.field(), JsonField::new);
  }

  /** What an expression says of a record; without an answer all stays as it is. */
  Verdict judged(RecordFilter expression, Record record) {
    try {
      return expression.matches(record) ? Verdict.HOLDS : Verdict.OVER;
    } catch (ExpressionFailure e) {
      meters.failed();
      return Verdict.BETWEEN;
    }
  }
}
