package io.galop.persist.log;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.persist.LogConfig;
import io.galop.ledger.Book;
import io.galop.node.Readiness;
import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.LogPosition;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The append-only journal of a node, shared by all its shards so that one fsync makes a group of
 * appends of all of them durable. Safe to call from any thread; only {@link #open}, {@link
 * #awaitBeyond} and {@link #close} block.
 */
public final class Log implements AutoCloseable {
  private final OpenLog open;
  private final LogConfig config;

  /** Where is counted what is written; null where nobody counts. */
  private volatile @Nullable Book book;

  /** By shard, how many records are on disk of those that were appended with their minute. */
  private final AtomicLongArray onDisk;

  Log(OpenLog open, LogConfig config) {
    this.open = open;
    this.config = config;
    this.onDisk = new AtomicLongArray(open.files().shards().size());
  }

  /**
   * Opens or creates the Log in a directory and recovers what is in it. Blocking.
   *
   * @throws io.galop.persist.log.file.LogException if another process has it open, if it was
   *     written with another number of shards or by a newer version, or if the disk fails
   */
  public static Log open(
      Path directory, LogConfig config, int shards, MeterRegistry meters, Readiness readiness) {
    return open(directory, config, shards, meters, readiness, Opening.FILES);
  }

  static Log open(
      Path directory,
      LogConfig config,
      int shards,
      MeterRegistry meters,
      Readiness readiness,
      Disk disk) {
    OpenLog open = new Opening(directory, config, shards, meters, readiness, disk).run();
    return new Log(open, config);
  }

  /** Counts from now on what is written of Batches that are appended with their minute. */
  public void countIn(Book written) {
    book = written;
  }

  /** A random number that no other Log has: a {@link LogPosition} means nothing without it. */
  public long id() {
    return open.files().log();
  }

  /** What was found when the Log was opened. */
  public LogRecovery recovery() {
    return open.files().recovery();
  }

  /** What was known of a shard when the Log was opened. */
  public RecoveredShard recovered(int shard) {
    return open.files().shards().get(shard);
  }

  /**
   * Why nothing can be appended now: {@code LOG_FAILED}, {@code OVER_QUOTA} or {@code BUSY}; empty
   * if it can. Ask before a Batch is placed: an {@link #append} right after an empty answer is not
   * refused for these reasons, unless the Log fails.
   */
  public Optional<Refusal> refusal() {
    if (open.writer().failure().isPresent()) {
      return open.writer().failure();
    }
    if (isOverQuota()) {
      return Optional.of(
          new Refusal(
              Why.OVER_QUOTA,
              "the Log has no room (persist.log.quotaBytes, persist.log.minFreeBytes)"));
    }
    if (open.isShortOfRoom(inFlightBytes())) {
      return Optional.of(new Refusal(Why.BUSY, "the next segment of the Log is being made"));
    }
    return open.queue().bytes() < config.queueBytes() ? Optional.empty() : Optional.of(busy());
  }

  private Refusal busy() {
    return new Refusal(
        Why.BUSY, "persist.log.queueBytes " + config.queueBytes() + " wait for the disk");
  }

  /** Callers ask before they append, several at a time: so much more than the bound may come. */
  private long inFlightBytes() {
    return 2L * config.queueBytes();
  }

  /**
   * Appends a placed Batch. Calls for one shard are logged in the order of the calls.
   *
   * @return succeeds when the records are on disk, on the caller's Vert.x context if it has one,
   *     else on a thread of the Log; fails with a {@link Refusal}
   */
  public Future<Void> append(Batch placed) {
    return append(placed, bytes -> Append.ofBatch(placed, bytes));
  }

  /** The same, counted in the minute in which it was placed. */
  public Future<Void> append(Batch placed, long minute) {
    Book written = book;
    return written == null
        ? append(placed)
        : append(placed, bytes -> Append.ofBatch(placed, bytes, minute, written, onDisk));
  }

  /**
   * How many records of a shard are on disk, of those that this process has appended with their
   * minute. It has counted a Batch when its append succeeds, but does not follow from that.
   */
  public long onDisk(int shard) {
    return onDisk.get(shard);
  }

  private Future<Void> append(Batch placed, LongFunction<Append> append) {
    Optional<String> tooLarge = Append.tooLarge(placed, config.segmentBytes() / 4);
    if (tooLarge.isPresent()) {
      return refused(
          new Refusal(
              Why.BAD_REQUEST,
              "record "
                  + tooLarge.get()
                  + " is larger than a quarter of persist.log.segmentBytes"));
    }
    long bytes = Append.bytes(placed);
    if (open.queue().bytes() > 0 && open.queue().bytes() + bytes > inFlightBytes()) {
      return refused(busy());
    }
    return enqueue(append.apply(bytes));
  }

  private Future<Void> refused(Refusal why) {
    open.metrics().refused.increment();
    return Future.failedFuture(why);
  }

  /**
   * Logs the start of an epoch.
   *
   * @param lastOfPrevious the last durable Position before it, in whichever epoch; {@link
   *     Position#none} if there is none
   * @return as for {@link #append}
   */
  public Future<Void> beginEpoch(int shard, long epoch, Position lastOfPrevious) {
    return enqueue(Append.ofEpoch(shard, epoch, lastOfPrevious));
  }

  private Future<Void> enqueue(Append append) {
    open.queue().add(append);
    return append.done().future();
  }

  /** The end of what is on disk; everything before it can be read. */
  public LogPosition durable() {
    return open.durable().position();
  }

  /** Waits until more than {@code position} is durable, or the time is over. Blocking. */
  public boolean awaitBeyond(LogPosition position, long timeoutMs) throws InterruptedException {
    return open.durable().awaitBeyond(position, timeoutMs);
  }

  /**
   * Where to read from to see at least the newest {@code bytes} of the Log, if it has so much; up
   * to a segment more.
   */
  public LogPosition positionForTail(long bytes) {
    return open.files().segments().tail(bytes);
  }

  /** Whether the Log has everything that was ever written to it: nothing has been freed. */
  public boolean isWhole() {
    return open.files().segments().atOrAfter(0).map(first -> first.sequence() <= 1).orElse(true);
  }

  /** How many bytes of the Log a reader at a position has before it. */
  public long bytesAfter(LogPosition position) {
    return open.files().segments().bytesBetween(position, durable());
  }

  /** A reader of what is durable, from a position or the oldest entry that is left after it. */
  public LogReader reader(LogPosition from) {
    return new LogReader(open.files().segments(), open.durable(), open.metrics(), from);
  }

  /** Keeps everything from a position on until the cursor has passed it. */
  public LogCursor cursor(String name, LogPosition from) {
    return open.retention().cursor(name, from);
  }

  /**
   * How far a store can be that follows the Log under this name: what it has beyond stems from a
   * Log that is no more. Blocking.
   */
  public LogPosition cursorLimit(String name) {
    return open.files().limits().of(name);
  }

  /** The store was asked how far it is, and is right from now on. Blocking. */
  public void liftCursorLimit(String name) {
    open.files().limits().lift(name);
  }

  /**
   * Begins to free segments. Call it when every reader with a cursor has taken it.
   *
   * @param clock what time it is for what is kept so many milliseconds, in those since 1970
   */
  public void startRetention(LongUnaryOperator clock) {
    open.retention().start(clock);
  }

  /** Keeps so much of what every reader has passed; of the configuration no more is taken. */
  public void keep(LogConfig config) {
    open.retention().keep(config);
  }

  /** How much of what every reader has passed is kept, as of now. */
  public LogConfig kept() {
    return open.retention().kept();
  }

  /** Whether records must be refused because the Log has no room for them. */
  public boolean isOverQuota() {
    return open.isOverQuota(inFlightBytes());
  }

  /** Writes what waits, and closes. Blocking. */
  @Override
  public void close() {
    open.close();
  }
}
