package io.galop.loadtest.latency;

import io.vertx.core.buffer.Buffer;
import java.util.BitSet;
import org.HdrHistogram.Histogram;

/** One browser: what it has seen, and how late. Belongs to one event loop. */
final class LatencyViewer {
  private final int messages;
  private final Histogram latencies;
  private final BitSet seen;
  private long firstMeasured = Long.MAX_VALUE;
  private boolean warm;
  private long duplicates;
  private boolean lost;

  /**
   * @param messages how many are measured
   * @param latencies of this event loop
   */
  LatencyViewer(int messages, Histogram latencies) {
    this.messages = messages;
    this.latencies = latencies;
    this.seen = new BitSet(messages);
  }

  void onFrame(Buffer frame) {
    Stamp.scan(frame, this::onStamp);
  }

  private void onStamp(long number, long dueNanos) {
    warm = true;
    long index = number - firstMeasured;
    if (index < 0 || index >= messages) {
      return;
    }
    Latencies.record(latencies, System.nanoTime() - dueNanos);
    if (seen.get((int) index)) {
      duplicates++;
    } else {
      seen.set((int) index);
    }
  }

  /** From this message on it counts. */
  void measureFrom(long number) {
    firstMeasured = number;
  }

  /** The connection is no more. */
  void onLost() {
    lost = true;
  }

  boolean isLost() {
    return lost;
  }

  /** Whether anything was received at all. */
  boolean isWarm() {
    return warm;
  }

  int received() {
    return seen.cardinality();
  }

  Gap gap() {
    return Gap.of(seen, messages);
  }

  long duplicates() {
    return duplicates;
  }
}
