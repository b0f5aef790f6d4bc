package io.galop.persist.rollup;

import io.galop.bus.Refusal;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.BoundedThreads;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.ContextHop;
import io.galop.persist.store.ThreadConnections;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers questions for rows on threads of its own, from the file and from memory. */
public final class RollupReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RollupReader.class);
  private static final int READERS = 2;
  private static final int MOST_WAITING = 64;

  private final OpenBlocks blocks;
  private final TopicNames names = new TopicNames();
  private final ThreadConnections<Connection> connections;
  private final BoundedThreads threads =
      BoundedThreads.of("galop-query-rollups", Driver.SYNC, READERS, MOST_WAITING);

  RollupReader(RollupFile file, OpenBlocks blocks) {
    this.blocks = blocks;
    this.connections = new ThreadConnections<>(file::reader, Connection::close);
  }

  /**
   * A page of rows, as {@link RolledRow}s, in the order of time, epoch and topic. From any thread.
   *
   * @param query its times are those of whole buckets
   * @param everyUs the length of a bucket: a part of an hour, or hours
   * @param fields whose values a row has, in their order
   * @return on the caller's Vert.x context if it has one; fails with a {@link Refusal}
   */
  public Future<ColdPage> rows(ColdQuery query, long everyUs, List<String> fields) {
    return ContextHop.bring(
        threads
            .call(() -> connections.with(one -> page(one, query, everyUs, fields)))
            .recover(failure -> Future.failedFuture(refusal(failure))));
  }

  private ColdPage page(Connection connection, ColdQuery query, long everyUs, List<String> fields)
      throws SQLException {
    try (StoredBlocks stored = new StoredBlocks(connection, names, query.filter())) {
      return new RolledSelect(stored, blocks, query, everyUs, fields).run();
    }
  }

  private static Refusal refusal(Throwable failure) {
    if (failure instanceof RejectedExecutionException) {
      return new Refusal(Refusal.Why.BUSY, "too many questions wait for the roll-ups");
    }
    LOG.warn("a question for roll-ups failed", failure);
    return new Refusal(
        Refusal.Why.NOT_READY, "the roll-ups cannot be read: " + failure.getMessage());
  }

  /** The file may be another one. */
  void reset() {
    connections.reset();
    names.clear();
  }

  @Override
  public void close() {
    threads.close(1, TimeUnit.SECONDS);
    connections.reset();
  }
}
