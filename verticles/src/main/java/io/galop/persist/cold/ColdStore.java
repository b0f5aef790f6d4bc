package io.galop.persist.cold;

import io.galop.persist.log.LogPosition;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.util.List;

/**
 * A store of the cold tier. All but {@link #query} is blocking and called by one thread, that of
 * the sink.
 */
public interface ColdStore extends AutoCloseable {

  /**
   * How far a Log is in the store.
   *
   * @param log the id of the Log; of another one than before nothing is in the store
   */
  LogPosition cursor(long log) throws ColdException;

  /**
   * Stores records once each, by their id (of two with the same the first stays), and the cursor
   * with them: both or neither. When it returns both are durable.
   *
   * @return how many were not there yet
   */
  int store(List<Placed> records, long log, LogPosition next) throws ColdException;

  /**
   * Deletes some of what is older or more than is kept.
   *
   * @return whether there is more to delete
   */
  boolean trim() throws ColdException;

  /**
   * Reads a page, on threads of the store's own.
   *
   * @return completes on the caller's Vert.x context if it has one; fails with a {@link
   *     io.galop.bus.Refusal}: {@code BUSY} if too many queries wait, {@code NOT_READY} if the
   *     store cannot be read
   */
  Future<ColdPage> query(ColdQuery query);

  @Override
  void close();
}
