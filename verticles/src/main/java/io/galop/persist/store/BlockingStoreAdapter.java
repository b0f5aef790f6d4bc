package io.galop.persist.store;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.log.file.LogPosition;
import io.vertx.core.Future;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link BlockingStore} on threads of its own, those of queries apart from those that write. */
public final class BlockingStoreAdapter implements Store {
  private static final Logger LOG = LoggerFactory.getLogger(BlockingStoreAdapter.class);
  private static final long LONGEST_CLOSE_S = 5;
  private final BlockingStore store;
  private final String name;
  private final BoundedThreads writers;
  private final BoundedThreads readers;

  /**
   * Takes a store.
   *
   * @param writers how many batches are written at once; saving and deleting have threads beside
   *     them
   * @param readers how many queries run at once
   * @param maxWaiting how many queries wait beyond that
   */
  public BlockingStoreAdapter(
      String name, BlockingStore store, Driver driver, int writers, int readers, int maxWaiting) {
    this.store = store;
    this.name = name;
    this.writers = BoundedThreads.of("galop-sink-" + name, driver, writers + 1, writers + 4);
    this.readers = BoundedThreads.of("galop-query-" + name, driver, readers, maxWaiting);
  }

  @Override
  public Future<Optional<LogPosition>> open(long log) {
    return writers.call(() -> store.open(log));
  }

  @Override
  public Future<Integer> write(StoreBatch parcel) {
    return writers.call(() -> store.write(parcel));
  }

  @Override
  public boolean keepsCursor() {
    return store.keepsCursor();
  }

  @Override
  public Future<Void> saveCursor(long log, LogPosition upTo) {
    return writers.call(
        () -> {
          store.saveCursor(log, upTo);
          return null;
        });
  }

  @Override
  public Future<Boolean> trim(LongUnaryOperator clock) {
    return writers.call(() -> store.trim(clock));
  }

  @Override
  public Optional<String> warning() {
    return store.warning();
  }

  @Override
  public boolean isAsked() {
    return store.isAsked();
  }

  @Override
  public Future<ColdPage> query(ColdQuery query) {
    return ContextHop.bring(
        readers
            .call(() -> store.query(query))
            .recover(failure -> Future.failedFuture(refusal(failure))));
  }

  private Throwable refusal(Throwable failure) {
    if (failure instanceof RejectedExecutionException) {
      return new Refusal(Why.BUSY, "too many queries wait for the store " + name);
    }
    if (failure instanceof IllegalArgumentException || failure instanceof TimeoutException) {
      // Whoever may ask can ask for this as often as they like.
      LOG.warn("a query of the store {} failed: {}", name, failure.toString());
    } else if (failure instanceof SQLException) {
      String what = "the database of the store {} does not answer a query: {}";
      LOG.warn(what, name, failure.getMessage());
    } else {
      LOG.warn("a query of the store {} failed", name, failure);
    }
    return new Refusal(
        Why.NOT_READY, "the store " + name + " cannot be read: " + failure.getMessage());
  }

  @Override
  public void stopping() {
    store.stopping();
  }

  @Override
  public void close() {
    boolean ended = writers.close(LONGEST_CLOSE_S, TimeUnit.SECONDS);
    ended &= readers.close(LONGEST_CLOSE_S, TimeUnit.SECONDS);
    if (!ended) {
      LOG.warn("the store {} does not answer; its threads are abandoned", name);
    }
    store.close();
  }
}
