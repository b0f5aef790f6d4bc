package io.galop.ingest.tcp;

import io.galop.ingest.intake.InFlight;
import io.galop.ingest.intake.Rejections;
import io.galop.record.Rejection;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * How far the lines of a connection are done with, and which rejections its sender has yet to be
 * told: in order, and no more of them as text than the sender takes. On the event loop of the
 * connection.
 */
final class TcpAnswers {
  /** So many rejections go in one answer, which its reader has to hold. */
  private static final int MOST_REJECTED = 500;

  /** Beyond, the sender does not read, and what is left waits in a shorter form. */
  private static final int MOST_UNSENT_BYTES = 64 * 1024;

  /** What was refused of one read. Invariant: it holds what its rejections held when last asked. */
  final class Untold {
    private final Rejections.OfLines rejections = new Rejections.OfLines();

    /** There was no room for it: neither it nor what came behind it is answered. */
    private boolean isUntellable;

    private long before;
    private int heldLines;
    private int heldBytes;

    private Untold() {}

    /** Where what is refused of the read is added. */
    Rejections rejections() {
      return rejections;
    }

    /**
     * All is read, though not settled.
     *
     * @return whether there is room for what was refused of it; if not, none of its lines will be
     *     told to be done with
     */
    boolean hold() {
      int bytes = rejections.bytes();
      boolean isMuch = bytes > 0 && untoldBytes + bytes > MOST_UNSENT_BYTES;
      isUntellable = isMuch && inFlight.isFullOfUntold(bytes);
      hold(isUntellable);
      return !isUntellable;
    }

    /** Holds what there is now, or nothing any more. */
    private void hold(boolean isOver) {
      int lines = isOver ? 0 : rejections.left();
      int bytes = lines == 0 ? 0 : rejections.bytes();
      if (lines == heldLines && bytes == heldBytes) {
        return; // most reads: the counters are of all event loops
      }
      untoldLines += lines - heldLines;
      untoldBytes += bytes - heldBytes;
      inFlight.holdUntold(lines - heldLines, bytes - heldBytes);
      heldLines = lines;
      heldBytes = bytes;
    }
  }

  /** What one read of a connection brings in. On its event loop. */
  static final class Part {
    /** What is refused of it while it is read, and afterwards. */
    final Untold refused;

    int lines;
    boolean asked;

    /** What its records count for, until they are settled. */
    long bytes;

    boolean done;

    Part(Untold refused) {
      this.refused = refused;
    }
  }

  private final InFlight inFlight;

  /** Settled, in order. Invariant: each has a rejection that is not told. */
  private final Deque<Untold> untold = new ArrayDeque<>();

  private long done;
  private int unsentBytes;

  /** Of all reads, settled or not. */
  private int untoldLines;

  /** What these hold of memory: lines that are not refused hold some, too, between others. */
  private long untoldBytes;

  private boolean isStopped;
  private boolean isOver;

  TcpAnswers(InFlight inFlight) {
    this.inFlight = inFlight;
  }

  /** For what will be refused of the next read. */
  Untold next() {
    return new Untold();
  }

  /**
   * So many lines of the next read are done with.
   *
   * @return whether that may be told
   */
  boolean settled(Untold read, int lines) {
    isStopped |= read.isUntellable;
    read.before = done;
    read.hold(isStopped || isOver);
    if (isStopped || isOver) {
      return false;
    }
    done += lines;
    if (read.heldLines > 0) {
      untold.add(read);
    }
    return true;
  }

  /** Whether all is told that is settled. */
  boolean areTold() {
    return untold.isEmpty();
  }

  /** Whether more are to be told, now or when they are settled, than an answer has; or larger. */
  boolean areMany() {
    return untoldLines >= MOST_REJECTED || untoldBytes >= MOST_UNSENT_BYTES;
  }

  /** Whether the sender takes more. */
  boolean hasRoom() {
    return unsentBytes < MOST_UNSENT_BYTES;
  }

  /** An answer with rejections is on its way. */
  void sent(int bytes) {
    unsentBytes += bytes;
  }

  /** It has left. */
  void left(int bytes) {
    unsentBytes -= bytes;
  }

  /** Nobody is there any more who could be told. */
  void drop() {
    isOver = true;
    untold.forEach(read -> read.hold(true));
    untold.clear();
  }

  /**
   * How many lines are done with before the next rejection that is not told. Whoever reads an
   * answer takes all others up to there as stored, and may never see the next answer.
   */
  long done() {
    Untold read = untold.peek();
    return read == null ? done : read.before + read.rejections.firstLine() - 1;
  }

  /** That tells the next rejections, out of as many reads as have them. */
  Buffer answer(TcpWire wire, long retryAfterMs) {
    List<TcpWire.Refused> told = new ArrayList<>(0);
    while (told.size() < MOST_REJECTED && !untold.isEmpty()) {
      Untold read = untold.element();
      while (told.size() < MOST_REJECTED && read.rejections.left() > 0) {
        Rejection rejection = read.rejections.next();
        told.add(new TcpWire.Refused(read.before + rejection.line(), rejection));
      }
      read.hold(false);
      if (read.heldLines == 0) {
        untold.remove();
      }
    }
    return wire.acknowledgement(done(), told, "", retryAfterMs);
  }
}
