package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records from before the present that one registration has to be sent first: its snapshot, or what
 * it missed and the ring no longer has.
 */
final class Backlog {
  private final Registration registration;
  private List<Entry> entries;
  private final long cut;
  private final @Nullable Supplier<Frame> closing;
  private final Runnable release;
  private int next;
  private int waiting;
  private long heldBytes;
  private long countAgain;
  private boolean isAhead;
  private boolean isBegun;
  private long begunNanos;
  private boolean isAnswer;

  /**
   * @param cut the number of the first record of the ring that belongs to the present
   * @param closing makes what is sent when the past is over; null if nothing is
   * @param release gives back the memory that the records were charged for
   */
  Backlog(
      Registration registration,
      List<Entry> entries,
      long cut,
      @Nullable Supplier<Frame> closing,
      Runnable release) {
    this.registration = registration;
    this.entries = entries;
    this.cut = cut;
    this.closing = closing;
    this.release = release;
    this.waiting = entries.size();
    this.countAgain = cut;
  }

  /** What answers a registration. */
  static Backlog of(Registration registration, Joined joined) {
    Supplier<Frame> closing =
        registration.hearsWords()
            ? () -> ControlFrames.live(registration.filter(), joined.heads(), joined.partial())
            : null;
    return new Backlog(registration, joined.entries(), joined.cut(), closing, joined.release());
  }

  /** Words that are said to a registration that begins with the present. */
  static Backlog ofWords(Registration registration, List<Entry> words, long cut) {
    Backlog backlog = new Backlog(registration, words, cut, null, () -> {});
    backlog.waiting = 0;
    return backlog;
  }

  /** The same, whose closing, if it has one, answers an update: it is owed if it is not sent. */
  Backlog answering() {
    isAnswer = closing != null;
    return this;
  }

  boolean isAnswer() {
    return isAnswer;
  }

  /** The same with words behind the records. */
  Backlog with(List<Entry> words) {
    if (words.isEmpty()) {
      return this;
    }
    List<Entry> all = new ArrayList<>(entries);
    all.addAll(words);
    Backlog backlog = new Backlog(registration, all, cut, closing, release);
    backlog.waiting = waiting;
    backlog.isAnswer = isAnswer;
    return backlog;
  }

  Registration registration() {
    return registration;
  }

  /** How many records are not written yet. */
  int waiting() {
    return waiting;
  }

  boolean hasNext() {
    return next < entries.size();
  }

  /**
   * The next one. A registration whose newest values have no place to wait gets the latest of its
   * topic: what comes after it is kept by nobody until the snapshot that follows this one.
   */
  Entry next() {
    Entry entry = entries.get(next++);
    waiting -= entry.records();
    boolean isOverflown = registration.isConflating() && registration.newest().isOverflown();
    Entry now = isOverflown ? entry.current() : entry;
    isAhead = now != entry;
    return now;
  }

  /** Whether the last one is newer than what waited, and so may be on its way to the Hub still. */
  boolean isAhead() {
    return isAhead;
  }

  /** When the first one was asked for; to be called before each. */
  long begunNanos() {
    if (!isBegun) {
      isBegun = true;
      begunNanos = System.nanoTime();
    }
    return begunNanos;
  }

  /**
   * What is kept for this alone, about, in bytes: neither the latest of its topic nor in the ring.
   * Counted anew each time that all of the ring is newer than at the last count.
   *
   * @param first the number of the oldest record in the ring
   * @param tail the number that the next one will have
   */
  long heldBytes(long first, long tail) {
    if (first > countAgain) {
      countAgain = tail;
      heldBytes = 0;
      for (int i = next; i < entries.size(); i++) {
        heldBytes += entries.get(i).isReplaced() ? entries.get(i).cost() : 0;
      }
    }
    return heldBytes;
  }

  /** Goes on with what is the latest of each topic now, and holds nothing that is older. */
  void renew() {
    entries = entries.stream().skip(next).map(Entry::current).toList();
    next = 0;
    heldBytes = 0;
  }

  long cut() {
    return cut;
  }

  @Nullable Frame closing() {
    return closing == null ? null : closing.get();
  }

  void release() {
    release.run();
  }
}
