package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.chaos.Journal;
import io.galop.loadtest.chaos.Journal.Event;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What one viewer saw of one kill.
 *
 * @param backMs from the kill until it was live again for good: connected, not stale, and shown
 *     nothing any more that was sent a second before; 0 if it was so all the time
 * @param latestMs how long after it was sent the latest record was shown
 * @param staleMs how long it was told that the feed is stale
 * @param resumed how often it was told that a resume is complete
 * @param incomplete how often it was told that something is missing
 * @param isBack whether it was live again in the end
 */
record KillTally(
    long backMs, long latestMs, long staleMs, int resumed, int incomplete, boolean isBack) {
  private static final long LATE_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Reads a journal.
   *
   * @param sent when records were first sent, by id
   */
  static KillTally of(Journal journal, Kill kill, Map<String, Long> sent) {
    Reading reading = new Reading(kill, sent);
    for (Event event : journal.events()) {
      if (event.atNs() - kill.killedNs() >= 0 && event.atNs() - kill.untilNs() < 0) {
        reading.add(event);
      }
    }
    return reading.end();
  }

  /** A journal read so far. */
  private static final class Reading {
    private final Kill kill;
    private final Map<String, Long> sent;
    private final Set<String> shown = new HashSet<>();
    private long backNs;
    private long latestNs;
    private long staleNs;
    private long staleFromNs;
    private boolean isStale;
    private boolean isAway;
    private int resumed;
    private int incomplete;

    Reading(Kill kill, Map<String, Long> sent) {
      this.kill = kill;
      this.sent = sent;
    }

    void add(Event event) {
      switch (event.kind()) {
        case SHOWN -> shown(event);
        case RESUMED -> resumed++;
        case INCOMPLETE -> incomplete++;
        case ENDED -> {
          endStale(event.atNs());
          isAway = true;
        }
        case LIVE -> {
          isAway = false;
          backNs = event.atNs() - kill.killedNs();
        }
        case STALE -> {
          isStale = true;
          staleFromNs = event.atNs();
        }
        case FRESH -> {
          endStale(event.atNs());
          backNs = event.atNs() - kill.killedNs();
        }
      }
    }

    private void endStale(long atNs) {
      if (isStale) {
        staleNs += atNs - staleFromNs;
      }
      isStale = false;
    }

    private void shown(Event event) {
      Long sentNs = sent.get(event.id());
      if (sentNs != null && sentNs - kill.killedNs() >= 0 && shown.add(event.id())) {
        long lateNs = event.atNs() - sentNs;
        latestNs = Math.max(latestNs, lateNs);
        if (lateNs > LATE_NS) {
          backNs = event.atNs() - kill.killedNs();
        }
      }
    }

    KillTally end() {
      boolean isBack = !isAway && !isStale;
      endStale(kill.untilNs());
      return new KillTally(
          ms(isBack ? backNs : kill.untilNs() - kill.killedNs()),
          ms(latestNs),
          ms(staleNs),
          resumed,
          incomplete,
          isBack);
    }

    private static long ms(long ns) {
      return TimeUnit.NANOSECONDS.toMillis(ns);
    }
  }
}
