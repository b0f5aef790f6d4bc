package io.galop.persist.log;

import io.galop.bus.Readiness;
import io.galop.bus.Refusal;
import io.galop.config.LogConfig;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The append-only journal of a node, shared by all its shards so that one fsync makes a group of
 * appends of all of them durable. Safe to call from any thread; only {@link #open} and {@link
 * #close} block.
 */
public final class Log implements AutoCloseable {
  private Log() {}

  /**
   * Opens or creates the Log in a directory and recovers what is in it. Blocking.
   *
   * @throws LogException if another process has it open, if it was written with another number of
   *     shards or by a newer version, or if the disk fails
   */
  public static Log open(
      Path directory, LogConfig config, int shards, MeterRegistry meters, Readiness readiness) {
    throw new UnsupportedOperationException();
  }

  /** What was known of a shard when the Log was opened. */
  public RecoveredShard recovered(int shard) {
    throw new UnsupportedOperationException();
  }

  /**
   * Why nothing can be appended now: {@code LOG_FAILED}, {@code OVER_QUOTA} or {@code BUSY}; empty
   * if it can. Ask before a Batch is placed: an {@link #append} right after an empty answer is not
   * refused for these reasons, unless the Log fails.
   */
  public Optional<Refusal> refusal() {
    throw new UnsupportedOperationException();
  }

  /**
   * Appends a placed Batch. Calls for one shard are logged in the order of the calls.
   *
   * @return succeeds when the records are on disk, on the caller's Vert.x context if it has one;
   *     fails with a {@link Refusal}
   */
  public Future<Void> append(Batch placed) {
    throw new UnsupportedOperationException();
  }

  /**
   * Logs the start of an epoch.
   *
   * @param lastOfPrevious the last durable Position before it, in whichever epoch; {@link
   *     Position#none} if there is none
   * @return as for {@link #append}
   */
  public Future<Void> beginEpoch(int shard, long epoch, Position lastOfPrevious) {
    throw new UnsupportedOperationException();
  }

  /** The end of what is on disk; everything before it can be read. */
  public LogPosition durable() {
    throw new UnsupportedOperationException();
  }

  /** Waits until more than {@code position} is durable, or the time is over. Blocking. */
  public boolean awaitBeyond(LogPosition position, long timeoutMs) throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  /**
   * Where to read from to see at least the newest {@code bytes} of the Log, if it has so much; up
   * to a segment more.
   */
  public LogPosition positionForTail(long bytes) {
    throw new UnsupportedOperationException();
  }

  /** A reader of what is durable, from a position or the oldest entry that is left after it. */
  public LogReader reader(LogPosition from) {
    throw new UnsupportedOperationException();
  }

  /** Keeps everything from a position on until the cursor has passed it. */
  public LogCursor cursor(String name, LogPosition from) {
    throw new UnsupportedOperationException();
  }

  /** Begins to free segments. Call it when every reader with a cursor has taken it. */
  public void startRetention() {
    throw new UnsupportedOperationException();
  }

  /** Whether records must be refused because the Log has no room for them. */
  public boolean isOverQuota() {
    throw new UnsupportedOperationException();
  }

  /** Writes what waits, and closes. Blocking. */
  @Override
  public void close() {}
}
