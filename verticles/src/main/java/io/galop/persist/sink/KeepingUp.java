package io.galop.persist.sink;

import io.galop.jvm.Moment;
import io.galop.node.Readiness;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators are told of a store that does not keep up: that it is away, that it answers again
 * and how much it lacks, that it has everything again. A store that fails once and takes the same a
 * moment later is no news. On the sink's thread.
 */
final class KeepingUp {
  private static final Logger LOG = LoggerFactory.getLogger(KeepingUp.class);
  private static final long AWAY_AFTER_MS = TimeUnit.SECONDS.toMillis(2);
  private static final double BEHIND_SECONDS = 30;
  private static final double CAUGHT_UP_SECONDS = 5;

  private enum State {
    WELL,
    /** Nothing has gone well since a failure. */
    FAILING,
    /** It takes what it lacks. */
    CATCHING_UP
  }

  private final Readiness readiness;
  private final String part;
  private final String store;
  private final Supplier<Moment> clock;
  private State state = State.WELL;
  private boolean isTold;
  private boolean isItsReturnTold;
  private Moment failingSince;
  private String why = "";

  /** How far behind the store is. */
  record Lag(long records, long bytes, double seconds) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%,d records, %,d bytes, %.0f s", records, bytes, seconds);
    }
  }

  KeepingUp(Readiness readiness, String part, String store) {
    this(readiness, part, store, Moment::now);
  }

  KeepingUp(Readiness readiness, String part, String store, Supplier<Moment> clock) {
    this.readiness = readiness;
    this.part = part;
    this.store = store;
    this.clock = clock;
    this.failingSince = clock.get();
  }

  /** An attempt has failed; it is made again. */
  void onFailed(String reason) {
    if (state != State.FAILING) {
      state = State.FAILING;
      failingSince = clock.get();
    }
    why = reason;
  }

  /** The store has answered well. */
  void onAnswer() {
    if (state == State.FAILING) {
      state = isTold ? State.CATCHING_UP : State.WELL;
      isItsReturnTold = false;
    }
  }

  /** Says what there is to say; called now and then. */
  void look(Lag lag) {
    if (state == State.FAILING) {
      sayAway(lag);
    } else if (lag.seconds() >= BEHIND_SECONDS || isTold && lag.seconds() >= CAUGHT_UP_SECONDS) {
      sayBehind(lag);
    } else if (isTold) {
      isTold = false;
      String how = state == State.CATCHING_UP ? "answers again and " : "";
      state = State.WELL;
      readiness.calm(part, "the store " + store + " " + how + "has everything");
    }
  }

  private void sayAway(Lag lag) {
    if (!isTold && clock.get().steadyMs() - failingSince.steadyMs() < AWAY_AFTER_MS) {
      return;
    }
    Instant since = Instant.ofEpochMilli(failingSince.wallMs());
    isTold = true;
    readiness.warn(
        part,
        "the store %s has taken nothing since %s (%s); %s behind, kept in the Log"
            .formatted(store, since.truncatedTo(ChronoUnit.SECONDS), why, lag),
        "see to the store: it is filled by itself once it answers; new records are refused only"
            + " when the Log reaches persist.log.quotaBytes",
        since);
  }

  private void sayBehind(Lag lag) {
    if (state == State.CATCHING_UP) {
      String returned = "the store " + store + " answers again; " + lag + " behind, catching up";
      readiness.warn(part, returned);
      if (!isItsReturnTold) {
        isItsReturnTold = true;
        LOG.info("{}: {}", part, returned);
      }
    } else {
      readiness.warn(
          part,
          "the store " + store + " is " + lag + " behind",
          "it takes less than comes in: give it fewer records (sampling) or more room");
    }
    isTold = true;
  }
}
