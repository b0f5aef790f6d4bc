package io.galop.loadtest.queries;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What clients have seen. Belongs to their event loop until they are done. */
final class QueryTally {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Histogram latencies = new Histogram(LONGEST_NANOS, 3);
  private long bytes;
  private long verified;
  private long wrong;
  private String why = "";

  void onAnswer(long nanos, long length, boolean isVerified) {
    latencies.recordValue(Math.min(LONGEST_NANOS, Math.max(1, nanos)));
    bytes += length;
    verified += isVerified ? 1 : 0;
  }

  void onWrong(String reason) {
    wrong++;
    why = reason;
  }

  /** In nanoseconds. */
  Histogram latencies() {
    return latencies;
  }

  long bytes() {
    return bytes;
  }

  /** Answers of which every byte was looked at. */
  long verified() {
    return verified;
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
