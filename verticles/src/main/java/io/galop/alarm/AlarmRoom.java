package io.galop.alarm;

import io.galop.alarm.Judge.Verdict;
import io.galop.config.alarm.AlarmsConfig;
import io.galop.expression.ExpressionFailure;
import io.galop.expression.RecordFilter;
import io.galop.json.JsonField;
import io.galop.jvm.WallClock;
import io.galop.record.Record;
import java.util.HashMap;
import java.util.Map;

/**
 * How many topics and alarms a node has, against the most that it may. What finds no room is
 * counted and tried again with the next record of its topic. Belongs to the loop of alarms.
 */
final class AlarmRoom {
  private final AlarmsConfig config;
  private final WallClock clock;
  private final AlarmMeters meters;

  /** What looks into records, one at a time, by the name of the field. */
  private final Map<String, JsonField> fields = new HashMap<>();

  private int standing;
  private boolean wasRefused;

  AlarmRoom(AlarmsConfig config, AlarmMeters meters) {
    this(config, meters, new WallClock());
  }

  AlarmRoom(AlarmsConfig config, AlarmMeters meters, WallClock clock) {
    this.config = config;
    this.clock = clock;
    this.meters = meters;
  }

  /** What time it is, milliseconds since 1970. */
  long nowMs() {
    return clock.nowMs();
  }

  /** A moment of the clock, for how long something lasts; it may be set meanwhile. */
  long steadyMs(long nowMs) {
    return clock.steadyMs(nowMs);
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

  /** Whether another alarm may stand. */
  boolean hasRoom() {
    if (standing < config.maxStanding()) {
      return true;
    }
    meters.refused();
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

  /** What finds a field in a record. */
  JsonField field(String name) {
    return fields.computeIfAbsent(name, JsonField::new);
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
