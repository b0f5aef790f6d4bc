package io.galop.persist.sink;

import io.galop.node.Readiness;
import io.galop.persist.log.LogChunk;
import io.galop.persist.log.LogCursor;
import io.galop.persist.log.file.LogPosition;
import io.galop.retry.Backoff;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How far a sink is and how its store keeps up, over all attempts to follow the Log. The cursor in
 * the Log never passes what the store has not answered for. On the sink's thread, except what its
 * meters read and {@link #stop}.
 */
final class SinkState {
  private static final long FIRST_PAUSE_MS = 100;

  private final SinkSetup setup;
  private final SinkBook book;
  private final LogCursor cursor;
  private final LagClock lagClock = new LagClock();
  private final SetBack setBack;
  private final Readiness readiness;
  private final KeepingUp keepingUp;
  private final Backoff backoff;
  private final BatchSize batchSize;
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile Flight flight;
  private volatile LogPosition handed = LogPosition.START;
  private volatile double bytesPerRecord = 300;

  /**
   * Where it stays since a record can neither be stored nor kept otherwise; null if it does not.
   */
  private volatile @Nullable LogPosition held;

  SinkState(SinkSetup setup, Readiness readiness) {
    this.setup = setup;
    this.book = new SinkBook(setup.book(), setup.cursorBook());
    this.cursor = setup.log().cursor(setup.name(), LogPosition.START);
    this.setBack = new SetBack(setup.log().cursorLimit(setup.name()));
    this.readiness = readiness;
    this.keepingUp = new KeepingUp(readiness, part(), setup.name());
    this.backoff = new Backoff(FIRST_PAUSE_MS, setup.config().maxPauseMs());
    this.batchSize = new BatchSize(setup.config().batchRecords());
    this.flight = new Flight(setup.config());
  }

  SinkBook book() {
    return book;
  }

  /** What was counted balances now. */
  void turn() {
    book.turn();
  }

  /** What waits is read again by the next run. */
  void onRunEnded() {
    handed = LogPosition.START;
    book.end();
  }

  /**
   * All records before a place in the Log were handed to the store, whether it has answered or not;
   * of none is that known while there is no run.
   */
  void hand(LogPosition upTo) {
    handed = upTo;
  }

  /** See {@link #hand}; from any thread. */
  LogPosition handed() {
    return handed;
  }

  /** Nothing is under way at the beginning of an attempt. */
  Flight newFlight() {
    Flight fresh = new Flight(setup.config());
    flight = fresh;
    return fresh;
  }

  /** An attempt has failed; how many milliseconds to wait before the next. */
  long onFailed(Throwable broken) {
    keepingUp.onFailed(StoreFailure.inOneLine(broken));
    batchSize.onFailure(broken);
    return backoff.nextMs();
  }

  /** Moves the cursor, back where the store has lost something. */
  void moveTo(LogPosition position) {
    cursor.advance(position);
    LogPosition stayed = held;
    if (stayed != null && position.compareTo(stayed) > 0) {
      held = null;
      readiness.calm(part());
    }
  }

  /** It does not pass a record; says why, until the cursor has moved. */
  void hold(String why) {
    held = cursor.position();
    readiness.warn(part(), "the store " + name() + " waits: " + why);
  }

  boolean isHeld() {
    return held != null;
  }

  private String part() {
    return "persist.sink." + name();
  }

  /** For what the store itself warns of, whether it keeps up or not. */
  private String ownPart() {
    return part() + ".settings";
  }

  LogPosition position() {
    return cursor.position();
  }

  /** The store has answered well. */
  void onStored() {
    keepingUp.onAnswer();
    if (!isHeld()) { // or what is stored again each time would make it try without a pause
      backoff.reset();
    }
    batchSize.onStored();
  }

  /** How large batches may be, as far as the store has shown. */
  BatchSize batchSize() {
    return batchSize;
  }

  /** A piece of the Log was read. */
  void onRead(LogChunk chunk) {
    setBack.onRead(chunk.next());
    int records = chunk.records().size();
    if (records > 0) {
      bytesPerRecord += (chunk.bytes() / (double) records - bytesPerRecord) / 16;
    }
  }

  /** Whether a cursor that the store has kept stems from before the Log was set back. */
  boolean isFromLostLog(LogPosition kept) {
    return setBack.isShownBy(kept, cursor.position());
  }

  /** What the store says of how far it is can be relied upon, also by later runs. */
  void onSettled() {
    setup.log().liftCursorLimit(name());
  }

  /** What a record takes of the Log, on the average of late. */
  double bytesPerRecord() {
    return bytesPerRecord;
  }

  /** Notes how far behind the store is, and says so. */
  void observe() {
    double lag = lagSeconds();
    int most = setup.config().unreadyLagSeconds();
    if (most > 0 && lag >= most) {
      readiness.unready(part(), "the store " + name() + " is " + (long) lag + " s behind the Log");
    } else {
      readiness.ready(part());
    }
    setup
        .store()
        .warning()
        .ifPresentOrElse(
            what -> readiness.warn(ownPart(), "the store " + name() + " " + what),
            () -> readiness.calm(ownPart()));
    if (!isHeld()) {
      keepingUp.look(new KeepingUp.Lag(lagRecords(), lagBytes(), lag));
    }
  }

  /** The store is open and lacks nothing. */
  void onNothingToStore() {
    keepingUp.onAnswer();
  }

  boolean isStopped(long waitMs) throws InterruptedException {
    return stop.await(waitMs, TimeUnit.MILLISECONDS);
  }

  String name() {
    return setup.name();
  }

  /** Bytes of the Log that are not in the store. */
  long lagBytes() {
    return setup.log().bytesAfter(cursor.position());
  }

  long lagRecords() {
    return Math.round(lagBytes() / bytesPerRecord);
  }

  double lagSeconds() {
    return lagClock.observe(setup.log().durable(), cursor.position(), System.nanoTime());
  }

  int inFlight() {
    return flight.batches();
  }

  long inFlightBytes() {
    return flight.bytes();
  }

  /** From any thread. */
  void stop() {
    stop.countDown();
  }

  /** The sink has ended: the node's readiness no longer depends on it. */
  void onEnded() {
    readiness.ready(part());
    readiness.calm(part());
    readiness.calm(ownPart());
  }
}
