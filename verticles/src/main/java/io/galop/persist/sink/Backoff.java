package io.galop.persist.sink;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between attempts: each twice as long as the one before up to the longest, less up to half
 * of it at random, so that many do not come back at the same moment.
 */
final class Backoff {
  private static final long FIRST_MS = 100;
  private final long longestMs;
  private long nextMs = FIRST_MS;

  Backoff(long longestMs) {
    this.longestMs = longestMs;
  }

  long nextMs() {
    long pauseMs = Math.min(nextMs, longestMs);
    nextMs = Math.min(2 * nextMs, longestMs);
    return pauseMs / 2 + ThreadLocalRandom.current().nextLong(pauseMs / 2 + 1);
  }

  void reset() {
    nextMs = FIRST_MS;
  }
}
