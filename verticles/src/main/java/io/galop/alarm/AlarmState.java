package io.galop.alarm;

import io.galop.config.alarm.AlarmRuleConfig.Severity;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * What an alarm is at a moment; immutable. An alarm that was never raised is {@link #normal}.
 *
 * @param isActive whether the condition holds
 * @param isAcknowledged whether nobody has to look at it any more
 * @param isSuppressed whether the parent is active
 * @param untilMs when its shelving ends; 0 while it is not shelved
 * @param value the value that raised it or ended it, as JSON; empty if there is none
 * @param sinceMs when it was raised last
 * @param changedMs when anything changed last
 * @param by who changed it last; empty if nobody did
 * @param reason why it was shelved
 * @param cause the Position of the record that raised it first, with what makes its id unique
 * @param step how many changes it has had since
 * @param told the targets that were told since it was raised
 */
record AlarmState(
    String rule,
    String topic,
    Severity severity,
    boolean isActive,
    boolean isAcknowledged,
    boolean isSuppressed,
    long untilMs,
    String text,
    String value,
    long sinceMs,
    long changedMs,
    String by,
    String reason,
    String cause,
    long step,
    Set<String> told) {

  /** The words of the states. */
  enum Word {
    NORMAL,
    UNACKNOWLEDGED,
    ACKNOWLEDGED,
    RETURNED,
    SHELVED,
    SUPPRESSED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  AlarmState {
    told = Set.copyOf(told);
  }

  /** Nothing is wrong, and nobody has to look. */
  static AlarmState normal(String rule, String topic, Severity severity) {
    return new AlarmState(
        rule, topic, severity, false, true, false, 0, "", "", 0, 0, "", "", "", 0, Set.of());
  }

  /** Its name in answers. */
  String id() {
    return rule + "/" + topic;
  }

  /** What it is called. */
  Word word() {
    if (untilMs > 0) {
      return Word.SHELVED;
    } else if (isSuppressed && isActive) {
      return Word.SUPPRESSED;
    } else if (isActive) {
      return isAcknowledged ? Word.ACKNOWLEDGED : Word.UNACKNOWLEDGED;
    }
    return isAcknowledged ? Word.NORMAL : Word.RETURNED;
  }

  /** Whether it is anything but normal. */
  boolean stands() {
    return word() != Word.NORMAL;
  }

  /** Whether somebody has to look at it. */
  boolean isDue() {
    return word() == Word.UNACKNOWLEDGED || word() == Word.RETURNED && !isSuppressed;
  }

  /** Raised, with a new text and value; nobody was told of it. */
  AlarmState raised(AlarmEvent.Raised event) {
    boolean isNew = !stands() && !cause.equals(event.cause());
    return new AlarmState(
        rule,
        topic,
        severity,
        true,
        false,
        isSuppressed,
        untilMs,
        event.text(),
        event.value(),
        event.atMs(),
        event.atMs(),
        "",
        stands() ? reason : "",
        isNew ? event.cause() : cause,
        isNew ? 1 : step + 1,
        Set.of());
  }

  /** The condition is over. */
  AlarmState returned(String lastValue, boolean acknowledged, long atMs) {
    return changed(false, acknowledged, untilMs, lastValue, atMs, "", reason, told);
  }

  /** Its rule is gone, and so nobody has to look at it. */
  AlarmState ended(long atMs) {
    return suppressed(false, atMs)
        .changed(false, true, 0, value, atMs, "", "its rule is gone", told);
  }

  AlarmState acknowledged(String who, long atMs) {
    return changed(isActive, true, untilMs, value, atMs, who, reason, told);
  }

  AlarmState shelved(long until, String who, String why, long atMs) {
    return changed(isActive, isAcknowledged, until, value, atMs, who, why, told);
  }

  AlarmState told(String target, long atMs) {
    Set<String> all = new HashSet<>(told);
    all.add(target);
    return changed(isActive, isAcknowledged, untilMs, value, atMs, by, reason, all);
  }

  /** The same once more, in a record of its own. */
  AlarmState restated() {
    return changed(isActive, isAcknowledged, untilMs, value, changedMs, by, reason, told);
  }

  private AlarmState changed(
      boolean active,
      boolean acknowledged,
      long until,
      String lastValue,
      long atMs,
      String who,
      String why,
      Set<String> knowing) {
    return new AlarmState(
        rule,
        topic,
        severity,
        active,
        acknowledged,
        isSuppressed,
        until,
        text,
        lastValue,
        sinceMs,
        atMs,
        who,
        why,
        cause,
        step + 1,
        knowing);
  }

  /** The same as bad as its rule says now. */
  AlarmState graded(Severity now, long atMs) {
    return now == severity
        ? this
        : new AlarmState(
            rule,
            topic,
            now,
            isActive,
            isAcknowledged,
            isSuppressed,
            untilMs,
            text,
            value,
            sinceMs,
            atMs,
            by,
            reason,
            cause,
            step + 1,
            told);
  }

  /** The same under a parent that is active, or is no more. */
  AlarmState suppressed(boolean suppressed, long atMs) {
    return new AlarmState(
        rule,
        topic,
        severity,
        isActive,
        isAcknowledged,
        suppressed,
        untilMs,
        text,
        value,
        sinceMs,
        isActive ? atMs : changedMs,
        by,
        reason,
        cause,
        isActive ? step + 1 : step,
        told);
  }
}
