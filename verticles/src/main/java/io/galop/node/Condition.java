package io.galop.node;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * Something about a part of a node that is not as it should be.
 *
 * @param part the part that says so
 * @param level how bad it is
 * @param of whom it keeps from what the node is for; of a warning nobody
 * @param what what is wrong
 * @param open the same for everybody, without a login: where {@code what} names viewers or topics
 *     it does not
 * @param advice what to do about it; empty where it passes by itself
 * @param since when it began
 */
public record Condition(
    String part,
    Level level,
    Set<Audience> of,
    String what,
    String open,
    String advice,
    Instant since) {

  /** How bad it is. */
  public enum Level {
    /** The part does its work, but not all of it. */
    WARNING,
    /** Records are refused; all else works. */
    REFUSING,
    /** The part cannot do its work. */
    UNREADY
  }

  public Condition {
    of = Set.copyOf(of);
  }

  /** One that names nobody. */
  public Condition(
      String part, Level level, Set<Audience> of, String what, String advice, Instant since) {
    this(part, level, of, what, what, advice, since);
  }

  /** What is wrong and what to do, in one line. */
  public String text() {
    return advice.isEmpty() ? what : what + "; " + advice;
  }

  /** The same for everybody. */
  public Condition opened() {
    return new Condition(part, level, of, open, advice, since);
  }

  /** For how long it has been so; nothing if the clock was set back to before. */
  public Duration age() {
    Duration age = Duration.between(since, Instant.now());
    return age.isNegative() ? Duration.ZERO : age;
  }

  Condition beganWith(Condition before) {
    return beganAt(before.since);
  }

  Condition beganAt(Instant moment) {
    return new Condition(part, level, of, what, open, advice, moment);
  }
}
