package io.galop.persist.store;

import io.galop.persist.log.file.LogPosition;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * A store behind a sink. Nothing here blocks, calls come from the sink's thread and, for {@link
 * #query}, from event loops; Futures complete on any thread. Whatever fails is tried again for
 * ever, unless the failure is a {@link BadRecordException}.
 */
public interface Store extends AutoCloseable {

  /**
   * Connects, makes or migrates what the store needs, and says how far a Log is in it. Called
   * before the first batch and again after every failure: connections that are open are then closed
   * and made anew, so that nothing of the batches before is left on its way.
   *
   * @param log the id of the Log
   * @return empty if the store holds nothing of the Log, or was emptied: then it is filled anew
   */
  Future<Optional<LogPosition>> open(long log);

  /**
   * Stores records once each, by their topic and id. Several batches may be under way; they may be
   * finished in any order and may come again.
   *
   * @return how many were not there yet, when they are as durable as the store makes them; fails
   *     with a {@link BadRecordException} if the store says that a record is bad, which no other
   *     attempt will change, and with anything else if it cannot do it now
   */
  Future<Integer> write(StoreBatch parcel);

  /**
   * Whether {@link #write} keeps the cursor of a {@link StoreBatch} in the records' transaction.
   */
  default boolean keepsCursor() {
    return false;
  }

  /** Keeps how far a Log is in the store; what lies before is stored. */
  Future<Void> saveCursor(long log, LogPosition upTo);

  /**
   * Deletes some of what is older or more than is kept.
   *
   * @param clock says what time it is for what is kept so many milliseconds, in those since 1970
   * @return whether there is more to delete; a failure is told and tried again later, but an {@link
   *     ReopenException} makes the sink open the store again at once
   */
  Future<Boolean> trim(LongUnaryOperator clock);

  /** What an operator has to see to although the store answers. Does not block; from any thread. */
  default Optional<String> warning() {
    return Optional.empty();
  }

  /** Whether it is asked for records; else {@link #query} has an empty page for all questions. */
  default boolean isAsked() {
    return true;
  }

  /**
   * Reads a page.
   *
   * @return completes on the caller's Vert.x context if it has one; fails with a {@link
   *     io.galop.bus.Refusal}: {@code BUSY} if too many queries wait, {@code NOT_READY} if the
   *     store cannot be read
   */
  Future<ColdPage> query(ColdQuery query);

  /**
   * Is going to be closed: what may last, and is done again after the next start, may be ended.
   * Does not block; from any thread.
   */
  default void stopping() {}

  /** Blocking. */
  @Override
  void close();
}
