package io.galop.ingest.publisher;

import io.vertx.core.Context;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that a node holds for one publisher: of records that are not acknowledged, and apart
 * from these of what is sent by half. Each is bounded by the same number. A door looks before it
 * reads, so each may be over by what is read at once.
 */
public final class Room {
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong half = new AtomicLong();
  private final Waiters waiters = new Waiters();
  private volatile long max = Long.MAX_VALUE;

  void max(long bound) {
    max = bound;
    wakeIfRoom();
  }

  /** The bound. */
  public long max() {
    return max;
  }

  /** Bytes of records that are not acknowledged. */
  public long bytes() {
    return bytes.get();
  }

  /** Bytes of bodies, lines and messages that are not whole. */
  public long half() {
    return half.get();
  }

  /** Whether no more should be taken in. */
  public boolean isFull() {
    return bytes.get() >= max;
  }

  /** Whether what is sent by half holds more than it may. */
  public boolean isOverrun() {
    return half.get() > max;
  }

  /** So many bytes more, or fewer, are not acknowledged. */
  public void hold(long more) {
    bytes.addAndGet(more);
    if (more < 0) {
      wakeIfRoom();
    }
  }

  /** So many bytes more, or fewer, are sent by half. */
  public void holdHalf(long more) {
    half.addAndGet(more);
  }

  /** Runs something on a context as soon as there is room again. */
  public void whenRoom(Context context, Runnable run) {
    waiters.add(context, run);
    wakeIfRoom();
  }

  private void wakeIfRoom() {
    if (bytes.get() < max - max / 8) {
      waiters.wake();
    }
  }
}
