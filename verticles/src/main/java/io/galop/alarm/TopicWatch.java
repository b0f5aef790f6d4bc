package io.galop.alarm;

import io.galop.record.Position;
import java.util.List;

/** The rules of one topic, and when it was heard of last. Belongs to the loop of alarms. */
final class TopicWatch {
  private final String topic;
  private final List<RuleWatch> rules;

  /** Of those: most topics have no other, and a list is one more object to wait for. */
  private final RuleWatch first;

  private final int count;
  private final long silentMs;
  private long heardMs;
  private long epoch;
  private long offset;

  /**
   * @param rules those that match, one at least
   * @param epoch of the last record's Position, 0 where none is known
   * @param offset of that, or what tells it from others
   */
  TopicWatch(String topic, List<RuleWatch> rules, long steadyMs, long epoch, long offset) {
    this.topic = topic;
    this.rules = List.copyOf(rules);
    this.first = rules.get(0);
    this.count = rules.size();
    this.silentMs =
        rules.stream().mapToLong(one -> one.rule().silentMs()).filter(ms -> ms > 0).min().orElse(0);
    this.heardMs = steadyMs;
    this.epoch = epoch;
    this.offset = offset;
  }

  /** Whether its parent is active now; what records say of suppression is of before. */
  boolean hasActiveParent(RuleWatch rule) {
    String parent = rule.rule().config().parent();
    return rules.stream()
        .anyMatch(one -> one.rule().name().equals(parent) && one.state().isActive());
  }

  /** The same topic under other rules. */
  TopicWatch with(List<RuleWatch> others) {
    return new TopicWatch(topic, others, heardMs, epoch, offset);
  }

  String topic() {
    return topic;
  }

  List<RuleWatch> rules() {
    return rules;
  }

  /** How many rules there are. */
  int count() {
    return count;
  }

  RuleWatch rule(int index) {
    return index == 0 ? first : rules.get(index);
  }

  /** Whether it matters when it was heard of. */
  boolean minds() {
    return silentMs > 0;
  }

  void heard(long steadyMs, long inEpoch, long atOffset) {
    heardMs = steadyMs;
    epoch = inEpoch;
    offset = atOffset;
  }

  /** Whether a record at this Position has not been looked at yet. */
  boolean isBefore(long otherEpoch, long otherOffset) {
    return epoch < otherEpoch || epoch == otherEpoch && offset < otherOffset;
  }

  /** Whether the last record is at this Position. */
  boolean isAt(long otherEpoch, long otherOffset) {
    return epoch == otherEpoch && offset == otherOffset;
  }

  /** Whether nothing is lost if it is forgotten until its next record. */
  boolean isIdle() {
    return !hasTimers() && rules.stream().noneMatch(one -> one.state().stands());
  }

  /** For how long nothing has come. */
  long silentFor(long steadyMs) {
    return steadyMs - heardMs;
  }

  /** The Position of the last record. */
  String heardAt(int shard) {
    return new Position(shard, epoch, offset).toString();
  }

  /** Whether time alone may change something. */
  boolean hasTimers() {
    return minds() || rules.stream().anyMatch(one -> one.isPending() || one.state().untilMs() > 0);
  }
}
