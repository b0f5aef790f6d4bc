package io.galop.alarm;

import io.galop.alarm.Judge.Verdict;
import java.util.Optional;

/**
 * A rule on one topic: its alarm, and for how long the condition has held. Belongs to the loop of
 * alarms.
 */
final class RuleWatch {
  private static final long NOT_PENDING = Long.MIN_VALUE;

  private final AlarmRule rule;
  private final Judge judge;
  private AlarmState state;
  private long pendingSinceMs = NOT_PENDING;

  /** What was so when it began to hold, or was last seen to. */
  private String value = "";

  private String cause = "";

  /** Whether a record was looked at. */
  private boolean hasLooked;

  /** Whether this owner has recorded a change of it. */
  private boolean isRecorded;

  /** Tells what is raised by the present rules from what was before, by the same record. */
  private final String mark;

  RuleWatch(AlarmRule rule, AlarmState state) {
    this(rule, state, "");
  }

  /**
   * @param mark becomes a part of the causes
   */
  RuleWatch(AlarmRule rule, AlarmState state, String mark) {
    this.mark = mark;
    this.rule = rule;
    this.judge = Judge.of(rule.config().when());
    this.state = state;
  }

  /**
   * The watch of a rule that has changed.
   *
   * @param known the one of the rule as it was before
   */
  static RuleWatch after(Optional<RuleWatch> known, AlarmRule rule, AlarmState state, String mark) {
    RuleWatch after = new RuleWatch(rule, state, mark);
    after.isRecorded = known.isPresent() && known.get().isRecorded;
    return after;
  }

  AlarmRule rule() {
    return rule;
  }

  Judge judge() {
    return judge;
  }

  AlarmState state() {
    return state;
  }

  void become(AlarmState next) {
    state = next;
  }

  /** What this owner records. */
  AlarmState recorded() {
    isRecorded = true;
    return state;
  }

  /**
   * It stands as it did, once more.
   *
   * @param isAll also if this owner has recorded it
   */
  Optional<AlarmState> restate(boolean isAll) {
    if (isRecorded && !isAll) {
      return Optional.empty();
    }
    state = state.restated();
    return Optional.of(state);
  }

  /** Whether nothing has to be done as long as this is the verdict. */
  boolean isSettled(Verdict verdict) {
    return switch (verdict) {
      case HOLDS -> state.isActive();
      case OVER -> !state.isActive() && pendingSinceMs == NOT_PENDING;
      case BETWEEN -> state.isActive() || pendingSinceMs == NOT_PENDING;
    };
  }

  /** Whether the condition holds and has to for longer. */
  boolean isPending() {
    return pendingSinceMs != NOT_PENDING;
  }

  /** The condition holds; whether it now has for long enough is said by {@link #isRipe}. */
  void hold(String present, String position, long steadyMs) {
    value = present;
    if (!isPending()) {
      pendingSinceMs = steadyMs;
      cause = position + mark;
    }
  }

  /** Whether nothing has come for so long that an alarm is due which does not stand yet. */
  boolean isSilentTooLong(long silentForMs) {
    return rule.silentMs() > 0 && !state.isActive() && silentForMs >= rule.silentMs();
  }

  boolean isRipe(long steadyMs) {
    return isPending() && steadyMs - pendingSinceMs >= rule.config().forMs();
  }

  /** It does not hold any more, or it has become an alarm. */
  void forget() {
    pendingSinceMs = NOT_PENDING;
  }

  /** A record is looked at now; returns whether one was before. */
  boolean looks() {
    boolean had = hasLooked;
    hasLooked = true;
    return had;
  }

  String value() {
    return value;
  }

  String cause() {
    return cause;
  }
}
