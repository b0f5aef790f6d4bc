package io.galop.loadtest.fanout;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Load;
import io.galop.loadtest.latency.Seen;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What the viewers of one event loop have seen; written and read on that loop only. */
final class LoopFigures {
  private final Load load;
  private final Marks marks;
  private final Runnable onRegistered;
  private final List<SockViewer> viewers = new ArrayList<>();
  private final Histogram latencies = Latencies.histogram();
  private long firstMeasured = Long.MAX_VALUE;
  private long duplicates;
  private long frames;
  private boolean isMeasured;

  LoopFigures(Load load, Runnable onRegistered) {
    this.load = load;
    this.marks = new Marks(load.bytes());
    this.onRegistered = onRegistered;
  }

  SockViewer add() {
    SockViewer viewer = new SockViewer(this);
    viewers.add(viewer);
    return viewer;
  }

  Marks marks() {
    return marks;
  }

  void onRegistered() {
    onRegistered.run();
  }

  void onFrame() {
    if (isMeasured) {
      frames++;
      isMeasured = false;
    }
  }

  /** Which of the measured messages it is, or -1. */
  int index(long number) {
    long index = number - firstMeasured;
    return index >= 0 && index < load.messages() ? (int) index : -1;
  }

  void onDelivery(long latencyNanos, boolean isDuplicate) {
    isMeasured = true;
    Latencies.record(latencies, latencyNanos);
    if (isDuplicate) {
      duplicates++;
    }
  }

  void measureFrom(long number) {
    firstMeasured = number;
  }

  boolean areWarm() {
    return viewers.stream().allMatch(SockViewer::isWarm);
  }

  /** How many frames held measured messages. */
  long frames() {
    return frames;
  }

  Seen seen() {
    long received = viewers.stream().mapToLong(SockViewer::received).sum();
    long expected = (long) viewers.size() * load.messages();
    long lost = viewers.stream().filter(SockViewer::isLost).count();
    return new Seen(received, duplicates, expected - received, lost, latencies.copy());
  }
}
