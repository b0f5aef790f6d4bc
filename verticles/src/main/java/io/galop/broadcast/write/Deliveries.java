package io.galop.broadcast.write;

import io.galop.broadcast.write.Tally.Count;

/**
 * What became of the records for one Subscriber: plain fields, in the object that a delivery
 * touches anyway. A record counts once for each registration that means it.
 */
public abstract class Deliveries {
  private final Tally node;
  private long published;
  private long sent;
  private long merged;
  private long conflated;
  private long dropped;
  private long throttled;
  private int gaps;

  Deliveries(Tally node) {
    this.node = node;
  }

  /** Where all of the event loop count. */
  final Tally tally() {
    return node;
  }

  /** Records that are to be sent. */
  public final void publish(int records) {
    published += records;
    node.add(Count.PUBLISHED, records);
  }

  /** Records gave way to newer ones of their topic. */
  public final void conflate(int records) {
    conflated += records;
    node.add(Count.CONFLATED, records);
  }

  /** Records that are to be sent wait, since the connection has had its bytes of this second. */
  public final void throttle(int records) {
    throttled += records;
    node.add(Count.THROTTLED, records);
  }

  /** Records will never be sent. */
  public final void drop(int records) {
    dropped += records;
    node.add(Count.DROPPED, records);
  }

  /** Records have left in one write; all but the first of them are merged. */
  final void sendTogether(int records) {
    if (records > 0) {
      sent += records;
      merged += records - 1;
      node.add(Count.SENT, records);
      node.add(Count.MERGED, records - 1);
    }
  }

  /** Records of a registration are missing, and it is sent the latest that make up for them. */
  public final void gap() {
    gaps++;
  }

  public final long published() {
    return published;
  }

  public final long sent() {
    return sent;
  }

  public final long merged() {
    return merged;
  }

  public final long conflated() {
    return conflated;
  }

  public final long dropped() {
    return dropped;
  }

  public final long throttled() {
    return throttled;
  }

  public final int gaps() {
    return gaps;
  }
}
