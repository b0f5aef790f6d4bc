package io.galop.broadcast.write;

import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Transport;
import io.galop.record.DoorStamp;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one connection is to be sent and what was written to it and has not left yet: bounded in
 * bytes, by those who ask whether there is room before they write.
 */
public final class Outbox extends Deliveries implements Transport.Receipt {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  /** Clients limit the size of a frame, and what is longer gains nothing from being joined. */
  private static final int MAX_JOINED_BYTES = 32 * 1024;

  /** A snapshot that has grown old may be so many times as large as an outbox. */
  private static final int HELD_PER_OUTBOX = 16;

  /** What one registration is told at a time takes less, but for the list of many caps. */
  private static final long WORD_BYTES = 512;

  private static final int NONE = -1;

  private static final long NEVER = Long.MAX_VALUE;

  private final Pulse pulse;
  private final Whose whose = new Whose();

  /** Where bundles go: to the connection itself, or past who looks at them. */
  private Transport transport;

  private final int maxBytes;
  private final Runnable onRoom;
  private final Runnable onFault;

  /**
   * Not the Bundle itself: a reference from an object that is old to one that is new costs the
   * garbage collector some 0.5 µs, and this one would change with every delivery.
   */
  private int bundle = NONE;

  private boolean isDue;

  /**
   * Somebody was told that there is no room. Nobody else need be told when there is: whom that
   * leads to is cold in memory, and to ask after each delivery costs a tenth of it.
   */
  private boolean isAwaited;

  private boolean isFaulty;

  /** What is watched on its way out; null mostly. */
  private @Nullable SampledWrite sampled;

  /** It waits for the next round, as all outboxes together have written enough for this one. */
  private boolean awaitsRound;

  private int bytes;
  private int records;

  /** Of what is before this number in the ring some may have left late. */
  private long inTimeFrom;

  /** What follows from this number on is read from the ring, later than it came. */
  private long behindFrom = NEVER;

  /**
   * @param onRoom is called when the outbox, having had no room for somebody, is at most half full
   * @param onFault is called when something could not be written: what comes next would follow on a
   *     gap, so the connection has to end
   */
  public Outbox(
      Tally tally,
      Pulse pulse,
      Transport transport,
      int maxBytes,
      Runnable onRoom,
      Runnable onFault) {
    super(tally);
    this.pulse = pulse;
    this.transport = transport;
    this.maxBytes = maxBytes;
    this.onRoom = onRoom;
    this.onFault = onFault;
  }

  public Whose whose() {
    return whose;
  }

  /**
   * What is flushed from now on goes another way: so nobody who is not looked at has anything to do
   * with looking.
   *
   * @param way makes the new one of the one until now, where it has to end as well
   * @return the new one
   */
  public Transport reroute(UnaryOperator<Transport> way) {
    transport = way.apply(transport);
    return transport;
  }

  /** Whether there is room. If not, there will be a call when there is. */
  public boolean hasRoom() {
    return hasRoom(pulse.isFull());
  }

  /** The same for what has just come, of somebody who keeps up. */
  public boolean hasRoomForNew() {
    return hasRoom(pulse.isOverfull());
  }

  private boolean hasRoom(boolean isRoundFull) {
    boolean isFull = bytes >= maxBytes;
    if (!isFull && !isRoundFull) {
      return true;
    }
    isAwaited = true;
    if (!isFull && !awaitsRound) {
      awaitsRound = true;
      pulse.awaitRound(this);
    }
    return false;
  }

  /** A round begins: what is filled in from now on has room again. */
  void onRound() {
    awaitsRound = false;
    offerRoom();
  }

  private void offerRoom() {
    if (isAwaited && bytes <= maxBytes / 2) {
      isAwaited = false;
      onRoom.run();
    }
  }

  /**
   * Whether not even words about the feed leave any more.
   *
   * @param registrations of so many each may be told something at once, also where it reads well
   */
  public boolean isFlooded(int registrations) {
    return bytes > 2L * maxBytes + registrations * WORD_BYTES;
  }

  /** How much besides may be kept for the connection alone. */
  public long maxHeldBytes() {
    return (long) HELD_PER_OUTBOX * maxBytes;
  }

  /** What is written and has not left, in bytes. */
  public int bytes() {
    return bytes;
  }

  /** How many records are written and have not left. */
  public int records() {
    return records;
  }

  /**
   * Sends a frame with whatever else is due in the next round of the {@link Pulse}; nothing behind
   * what could not be written.
   */
  public void write(Frame frame) {
    if (bundle != NONE && pulse.bundle(bundle).size() + frame.size() > MAX_JOINED_BYTES) {
      pulse.rounds().emptiedAhead();
      flush();
    }
    if (isFaulty) {
      drop(frame.records());
      return;
    }
    Bundle before = bundle == NONE ? pulse.hold() : pulse.bundle(bundle);
    bundle = before.with(frame).number();
    bytes += frame.size();
    records += frame.records();
    if (!isDue) {
      isDue = true;
      pulse.due(this);
    }
  }

  /**
   * Watches when what was written has left; one sample at a time.
   *
   * @param stamp of the last record that was written
   * @param standsFor so many records
   * @param isBehind whether it was not written, but waits
   */
  public void sample(DoorStamp stamp, int standsFor, boolean isBehind) {
    SampledWrite next =
        new SampledWrite(tally().lateness(), transport.kind(), stamp, standsFor, bytes);
    if (isBehind || sampled != null) {
      next.giveUp();
    } else if (next.isUnderWay(0, true)) {
      sampled = next;
    }
  }

  /**
   * Who has this outbox does not keep up.
   *
   * @param sequence from this number in the ring on
   */
  public void fallsBehind(long sequence) {
    behindFrom = Math.min(behindFrom, sequence);
    if (sampled != null) {
      sampled.giveUp();
      sampled = null;
    }
  }

  /**
   * Who has this outbox keeps up again.
   *
   * @param sequence from this number in the ring on
   */
  public void catchesUp(long sequence) {
    if (sequence > behindFrom) {
      inTimeFrom = sequence;
    }
    behindFrom = NEVER;
  }

  /**
   * Whether a record, if it was written here, left in the round that followed when it came: see
   * {@link Rounds#of}. That is noted only where it was not so, for all up to then.
   */
  public boolean wasInTime(long sequence) {
    return sequence >= inTimeFrom && sequence < behindFrom;
  }

  /** Whether what is flushed now leaves at once, as far as is known here. */
  boolean isReady() {
    return bytes > 0 && transport.isReady();
  }

  void onPulse() {
    isDue = false;
    flush();
  }

  /** Writes what was sent without waiting any longer. */
  public void flush() {
    if (bundle == NONE) {
      return;
    }
    Bundle due = pulse.bundle(bundle);
    bundle = NONE;
    try {
      if (hasLeft(due)) {
        left(due.size(), due.records(), true);
      }
    } finally {
      due.letGo();
    }
  }

  private boolean hasLeft(Bundle due) {
    try {
      return transport.write(due, this);
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a connection could not be written to", fault);
      isFaulty = true;
      left(due.size(), due.records(), false);
      onFault.run();
      return false;
    }
  }

  @Override
  public void onLeft(int size, int left, boolean isSent) {
    if (left > 0) {
      inTimeFrom = pulse.rounds().tail();
    }
    left(size, left, isSent);
  }

  private void left(int size, int left, boolean isSent) {
    bytes -= size;
    records -= left;
    if (sampled != null && !sampled.isUnderWay(size, isSent)) {
      sampled = null;
    }
    if (!isSent) {
      drop(left);
      return;
    }
    sendTogether(left);
    offerRoom();
  }
}
