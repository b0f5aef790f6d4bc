package io.galop.loadtest.client;

import io.galop.loadtest.latency.Gap;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** What the viewers of one event loop have seen; written and read on that loop only. */
final class LoopFigures {
  private final Marks marks;
  private final Runnable onRegistered;
  private final List<ViewerTally> tallies = new ArrayList<>();
  private final Map<String, Long> errors = new TreeMap<>();
  private Histogram latencies = Latencies.histogram();
  private long first = Long.MAX_VALUE;
  private long most;
  private boolean isFollowing;
  private long duplicates;
  private long answers;
  private long reconnects;
  private long now;

  /**
   * @param dataBytes of each message
   * @param onRegistered is run when a viewer has registered
   */
  LoopFigures(int dataBytes, Runnable onRegistered) {
    this.marks = new Marks(dataBytes);
    this.onRegistered = onRegistered;
  }

  ViewerTally add() {
    ViewerTally tally = new ViewerTally(this);
    tallies.add(tally);
    return tally;
  }

  /** Counts a viewer no more if its connection was lost; returns whether it was. */
  boolean forgetIfLost(ViewerTally tally) {
    if (!tally.isLost()) {
      return false;
    }
    errors.clear();
    return tallies.remove(tally);
  }

  Marks marks() {
    return marks;
  }

  void onRegistered() {
    onRegistered.run();
  }

  /** The time at which what is read next has come. */
  void onRead() {
    now = System.nanoTime();
  }

  void onDelivery(long dueNanos, boolean isDuplicate) {
    Latencies.record(latencies, now - dueNanos);
    if (isDuplicate) {
      duplicates++;
    }
  }

  void onError(String what) {
    errors.merge(what, 1L, Long::sum);
  }

  void onAnswer() {
    answers++;
  }

  void onReconnect() {
    reconnects++;
  }

  /** Measures so many messages from this one on. */
  void measure(long firstNumber, long messages) {
    first = firstNumber;
    most = messages;
    tallies.forEach(ViewerTally::forget);
  }

  /** Counts for each viewer all messages from the first that it sees. */
  void follow() {
    isFollowing = true;
    most = Integer.MAX_VALUE;
  }

  boolean isFollowing() {
    return isFollowing;
  }

  long first() {
    return first;
  }

  long most() {
    return most;
  }

  boolean areWarm() {
    return tallies.stream().allMatch(ViewerTally::isWarm);
  }

  /** The latencies since this was asked last. */
  Histogram takeLatencies() {
    Histogram taken = latencies;
    latencies = Latencies.histogram();
    return taken;
  }

  AudienceReport report(long end) {
    long received = tallies.stream().mapToLong(ViewerTally::received).sum();
    long missing = tallies.stream().mapToLong(tally -> tally.missing(end)).sum();
    long lost = tallies.stream().filter(ViewerTally::isLost).count();
    long untold =
        tallies.stream()
            .filter(tally -> tally.missing(end) > 0 && !tally.isTold() && !tally.isLost())
            .count();
    long told = tallies.stream().filter(ViewerTally::isTold).count();
    Gap gap = Gap.around(tallies.stream().map(tally -> tally.gap(end)).toList());
    Seen seen = new Seen(received, duplicates, missing, lost, gap, latencies.copy());
    return new AudienceReport(seen, told, untold, answers, reconnects, new TreeMap<>(errors));
  }
}
