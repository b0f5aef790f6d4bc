package io.galop.broadcast.write;

import java.util.concurrent.TimeUnit;

/**
 * How many bytes one connection may be sent in a second: a bucket that fills evenly and holds those
 * of a second. What is sent last may take more than is left, so a record of any size is sent, and
 * the next ones wait for longer, but for ten seconds at most: a connection that is silent for hours
 * after a large snapshot shows old values. On the connection's event loop.
 */
public final class ByteRate {
  private static final double MOST_OWED_SECONDS = 10;
  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private long bytesPerSecond;
  private double left;
  private long filledNanos;

  /**
   * @param bytesPerSecond above 0
   */
  public ByteRate(long bytesPerSecond, long nowNanos) {
    this.bytesPerSecond = bytesPerSecond;
    this.left = bytesPerSecond;
    this.filledNanos = nowNanos;
  }

  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Others hold from now on; what was sent before still counts. */
  public void change(long otherBytesPerSecond, long nowNanos) {
    fill(nowNanos);
    bytesPerSecond = otherBytesPerSecond;
    left = Math.min(left, bytesPerSecond);
  }

  /** Whether something may be sent now. */
  public boolean isOpen(long nowNanos) {
    fill(nowNanos);
    return left > 0;
  }

  /** So many bytes are sent. */
  public void spend(long bytes) {
    left = Math.max(left - bytes, -MOST_OWED_SECONDS * bytesPerSecond);
  }

  private void fill(long nowNanos) {
    double more = (nowNanos - filledNanos) / SECOND_NANOS * bytesPerSecond;
    left = Math.min(bytesPerSecond, left + more);
    filledNanos = nowNanos;
  }
}
