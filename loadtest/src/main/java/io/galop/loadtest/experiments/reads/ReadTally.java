package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.latency.Latencies;
import org.HdrHistogram.Histogram;

/** What clients have seen in one go. Belongs to their event loop until they are done. */
final class ReadTally {
  private final Histogram latencies = Latencies.histogram();
  private final Histogram lag = Latencies.histogram();
  private long asked;
  private long wrong;
  private String why = "";
  private long fromNanos;
  private long toNanos;

  void onStart(long nanos) {
    fromNanos = nanos;
    toNanos = nanos;
  }

  void onAsked() {
    asked++;
  }

  void onAnswer(long latencyNanos, long nowNanos) {
    Latencies.record(latencies, latencyNanos);
    toNanos = nowNanos;
  }

  void onWrong(String reason) {
    wrong++;
    why = reason;
  }

  /** The clients themselves were so late with a question that a connection waited for. */
  void onLag(long nanos) {
    Latencies.record(lag, nanos);
  }

  /** Of right answers, in nanoseconds: closed from asked, open from due. */
  Histogram latencies() {
    return latencies;
  }

  Histogram lag() {
    return lag;
  }

  long asked() {
    return asked;
  }

  /** Right answers a second, from the beginning until the last one. */
  double perSecond() {
    return latencies.getTotalCount() / Math.max(1e-9, (toNanos - fromNanos) / 1e9);
  }

  /** Answers that were not what they should be, or did not come. */
  long wrong() {
    return wrong;
  }

  /** Why the last of them was wrong. */
  String why() {
    return why;
  }
}
