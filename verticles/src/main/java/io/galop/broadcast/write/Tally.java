package io.galop.broadcast.write;

import io.galop.latency.Lateness;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What became of the records for the Subscribers of one event loop, which alone counts; read from
 * any thread. A count costs a plain addition.
 */
public final class Tally {
  /** What is counted. Each published record is sent, conflated, dropped, or still waits. */
  public enum Count {
    PUBLISHED,
    SENT,
    MERGED,
    CONFLATED,
    DROPPED,
    /** Of those that are to be sent: by what is different to the one before. */
    DELTAS,
    /** Of those that were to be sent: waited for the bytes per second of their connection. */
    THROTTLED
  }

  private final AtomicLongArray counts = new AtomicLongArray(Count.values().length);

  private final Lateness lateness;

  /**
   * @param lateness where to tell how late records left
   */
  public Tally(Lateness lateness) {
    this.lateness = lateness;
  }

  Lateness lateness() {
    return lateness;
  }

  void add(Count what, long records) {
    int index = what.ordinal();
    counts.setOpaque(index, counts.getPlain(index) + records);
  }

  /** A record is sent as a delta. */
  public void delta() {
    add(Count.DELTAS, 1);
  }

  public long get(Count what) {
    return counts.getOpaque(what.ordinal());
  }

  /** Records that are neither sent nor given up. Never below zero, whoever counts meanwhile. */
  public long waiting() {
    long done = get(Count.SENT) + get(Count.CONFLATED) + get(Count.DROPPED);
    return Math.max(0, get(Count.PUBLISHED) - done);
  }
}
