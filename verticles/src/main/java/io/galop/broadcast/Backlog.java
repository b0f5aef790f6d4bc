package io.galop.broadcast;

import java.util.List;

/**
 * Records from before the present that one registration has to be sent first: its snapshot, or what
 * it missed and the ring no longer has.
 */
final class Backlog {
  private final Registration registration;
  private final List<Entry> entries;
  private final long cut;
  private final Frame closing;
  private final Runnable release;
  private int next;

  /**
   * @param cut the number of the first record of the ring that belongs to the present
   * @param closing is sent when the past is over
   * @param release gives back the memory that the records were charged for
   */
  Backlog(
      Registration registration, List<Entry> entries, long cut, Frame closing, Runnable release) {
    this.registration = registration;
    this.entries = entries;
    this.cut = cut;
    this.closing = closing;
    this.release = release;
  }

  Registration registration() {
    return registration;
  }

  boolean hasNext() {
    return next < entries.size();
  }

  Entry next() {
    return entries.get(next++);
  }

  long cut() {
    return cut;
  }

  Frame closing() {
    return closing;
  }

  void release() {
    release.run();
  }
}
