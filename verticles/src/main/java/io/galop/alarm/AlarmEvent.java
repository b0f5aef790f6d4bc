package io.galop.alarm;

/** What happens to an alarm. */
sealed interface AlarmEvent {
  /** When, in milliseconds since the epoch. */
  long atMs();

  /**
   * The condition holds, for as long as it has to.
   *
   * @param cause see {@link AlarmState#cause}
   */
  record Raised(String cause, String text, String value, long atMs) implements AlarmEvent {}

  /** The condition is over. */
  record Returned(String value, long atMs) implements AlarmEvent {}

  /** Somebody has seen it. */
  record Acknowledge(String by, long atMs) implements AlarmEvent {}

  /** Somebody does not want to hear of it for a while. */
  record Shelve(String by, long untilMs, String reason, long atMs) implements AlarmEvent {}

  /** Somebody wants to hear of it again. */
  record Unshelve(String by, long atMs) implements AlarmEvent {}

  /** It may be that its shelving has ended. */
  record Looked(long atMs) implements AlarmEvent {}

  /** The parent has become active, or is no more. */
  record Parent(boolean isActive, long atMs) implements AlarmEvent {}

  /** A target was told of it. */
  record Told(String target, long atMs) implements AlarmEvent {}
}
