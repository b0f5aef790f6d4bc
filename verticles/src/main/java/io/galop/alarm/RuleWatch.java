package io.galop.alarm;

import io.galop.alarm.Judge.Verdict;
import io.galop.json.JsonField;
import io.galop.record.Record;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rule on one topic: its alarm, and for how long the condition has held. What each record needs
 * is here and not behind the rule or the state, as each object on the way is a wait for memory.
 * Belongs to the loop of alarms.
 */
final class RuleWatch {
  private static final long NOT_PENDING = Long.MIN_VALUE;

  private final AlarmRule rule;
  private final Judge judge;
  private final boolean isOfNumber;
  private final @Nullable JsonField field;
  private AlarmState state;
  private boolean isActive;
  private long pendingSinceMs = NOT_PENDING;

  /** What was so when it began to hold, or was last seen to. */
  private String value = "";

  private String cause = "";

  /** Whether a record was looked at. */
  private boolean hasLooked;

  /** Whether this owner has recorded a change of it. */
  private boolean isRecorded;

  /** Whether its alarm is not raised for want of room. */
  private boolean isRefused;

  /** Tells what is raised by the present rules from what was before, by the same record. */
  private final String mark;

  /**
   * @param field finds what the rule is about, the same for all that are about it; none if it is
   *     about no field
   */
  RuleWatch(AlarmRule rule, @Nullable JsonField field, AlarmState state) {
    this(rule, field, state, "");
  }

  /**
   * @param mark becomes a part of the causes
   */
  RuleWatch(AlarmRule rule, @Nullable JsonField field, AlarmState state, String mark) {
    this.mark = mark;
    this.rule = rule;
    this.field = field;
    this.judge = Judge.of(rule.config().when());
    this.isOfNumber = rule.silentMs() == 0 && rule.expression().isEmpty();
    this.state = state;
    this.isActive = state.isActive();
  }

  /**
   * The watch of a rule that has changed.
   *
   * @param known the one of the rule as it was before
   */
  static RuleWatch after(Optional<RuleWatch> known, RuleWatch after) {
    after.isRecorded = known.isPresent() && known.get().isRecorded;
    return after;
  }

  AlarmRule rule() {
    return rule;
  }

  /** Whether it is about a field, and that of another rule is another. */
  boolean isOfOtherField(@Nullable RuleWatch other) {
    return field != null && (other == null || other.field != field);
  }

  /** Looks for its field, on behalf of all rules about that; whether it is a number. */
  boolean findsNumber(Record record) {
    return field != null && field.find(record.data()) && field.isNumber();
  }

  /** The value that was found last, if it is about a field. */
  String text() {
    return field == null ? "" : field.text();
  }

  AlarmState state() {
    return state;
  }

  void become(AlarmState next) {
    state = next;
    isActive = next.isActive();
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
    become(state.restated());
    return Optional.of(state);
  }

  /**
   * What a record says.
   *
   * @param isNumber whether its field was found in it, and is a number
   * @param isOld whether it says nothing of how long the topic has been silent
   * @param room evaluates expressions
   */
  Verdict verdict(Record record, boolean isNumber, boolean isOld, AlarmRoom room) {
    if (isOfNumber) {
      return isNumber && field != null ? judge.of(field.number(), record) : Verdict.BETWEEN;
    }
    if (rule.silentMs() > 0) {
      return isOld ? Verdict.BETWEEN : Verdict.OVER;
    }
    return room.judged(rule.expression().orElseThrow(), record);
  }

  /** Whether nothing has to be done as long as this is the verdict. */
  boolean isSettled(Verdict verdict) {
    return switch (verdict) {
      case HOLDS -> isActive;
      case OVER -> !isActive && pendingSinceMs == NOT_PENDING;
      case BETWEEN -> isActive || pendingSinceMs == NOT_PENDING;
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
    return rule.silentMs() > 0 && !isActive && silentForMs >= rule.silentMs();
  }

  boolean isRipe(long steadyMs) {
    return isPending() && steadyMs - pendingSinceMs >= rule.config().forMs();
  }

  /** It does not hold any more, or it has become an alarm. */
  void forget() {
    pendingSinceMs = NOT_PENDING;
    isRefused = false;
  }

  /** There is no room for its alarm; returns whether that is news. */
  boolean waitsForRoom() {
    boolean isNews = !isRefused;
    isRefused = true;
    return isNews;
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
