package io.galop.persist.cold;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.ColdConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that answer queries, each with a connection of its own. */
final class SqliteReaders implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteReaders.class);
  private final BlockingQueue<Connection> connections;
  private final ThreadPoolExecutor threads;

  SqliteReaders(SqliteFile file, ColdConfig config) throws SQLException {
    connections = new ArrayBlockingQueue<>(config.readers());
    for (int i = 0; i < config.readers(); i++) {
      connections.add(file.reader());
    }
    threads =
        new ThreadPoolExecutor(
            config.readers(),
            config.readers(),
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(config.maxWaitingQueries()),
            SqliteReaders::thread);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "galop-cold-reader");
    thread.setDaemon(true);
    return thread;
  }

  Future<ColdPage> query(ColdQuery query) {
    Context caller = Vertx.currentContext();
    Promise<ColdPage> answer = Promise.promise();
    try {
      threads.execute(() -> run(query, caller, answer));
    } catch (RejectedExecutionException e) {
      answer.fail(new Refusal(Why.BUSY, "persist.cold.maxWaitingQueries wait for the cold store"));
    }
    return answer.future();
  }

  private void run(ColdQuery query, Context caller, Promise<ColdPage> answer) {
    Future<ColdPage> outcome = read(query);
    if (caller == null) {
      outcome.onComplete(answer);
    } else {
      caller.runOnContext(v -> outcome.onComplete(answer));
    }
  }

  private Future<ColdPage> read(ColdQuery query) {
    Connection connection = connections.remove();
    try {
      return Future.succeededFuture(new ColdSelect(connection, query).run());
    } catch (SQLException | RuntimeException e) {
      LOG.warn("a query of the cold store failed", e);
      return Future.failedFuture(
          new Refusal(Why.NOT_READY, "the cold store cannot be read: " + e.getMessage()));
    } finally {
      connections.add(connection);
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("queries of the cold store are still running; they are left");
      }
      for (Connection connection : connections) {
        connection.close();
      }
    } catch (SQLException e) {
      LOG.warn("a reader of the cold store could not be closed: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
