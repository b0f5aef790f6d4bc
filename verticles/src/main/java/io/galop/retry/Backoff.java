package io.galop.retry;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * Pauses between attempts: each twice as long as the one before, up to the longest, less a part of
 * it at random, so that many do not come back at the same moment. One thread at a time.
 */
public final class Backoff {
  private static final double HALF = 0.5;

  private final long firstMs;
  private final long longestMs;
  private final double jitter;
  private final DoubleSupplier random;

  /** What comes next, its random part included; never above the longest. */
  private long nextMs;

  /** Up to half of each pause is left out at random. */
  public Backoff(long firstMs, long longestMs) {
    this(firstMs, longestMs, HALF, () -> ThreadLocalRandom.current().nextDouble());
  }

  /** Without chance, where nobody else comes back, or all has to happen in the same way again. */
  public static Backoff regular(long firstMs, long longestMs) {
    return new Backoff(firstMs, longestMs, 0, () -> 0);
  }

  /**
   * @param jitter how large a part of a pause is random, up to 1
   * @param random from 0 to 1
   */
  Backoff(long firstMs, long longestMs, double jitter, DoubleSupplier random) {
    this.firstMs = Math.min(firstMs, longestMs);
    this.longestMs = longestMs;
    this.jitter = jitter;
    this.random = random;
    this.nextMs = this.firstMs;
  }

  /** How many milliseconds to wait before the next attempt. */
  public long nextMs() {
    long pauseMs = nextMs;
    nextMs = pauseMs > longestMs / 2 ? longestMs : 2 * pauseMs;
    return pauseMs - (long) (pauseMs * jitter * random.getAsDouble());
  }

  /** An attempt went well: the next pause is the first again. */
  public void reset() {
    nextMs = firstMs;
  }
}
