package io.galop.persist.mysql;

import io.galop.config.persist.MysqlConfig;
import io.galop.jvm.ErrorText;
import io.galop.store.MysqlSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClientOptions;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.sqlclient.DatabaseException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of Vert.x: a pool for what is written, as many connections as batches, and one for
 * what is read.
 */
final class MysqlEventLoopLink implements MysqlLink {
  private static final Logger LOG = LoggerFactory.getLogger(MysqlEventLoopLink.class);
  private static final String CLOSED = "the sink is closed";
  private static final long LONGEST_CLOSE_S = 5;

  /** For the cursor and for deletes, beside the batches. */
  private static final int MORE_WRITERS = 1;

  private final Vertx vertx;
  private final MysqlConfig config;
  private final String fullBatch;

  /** Null until the sink has connected. */
  private @Nullable Pool writer;

  /** Null until the first question. */
  private @Nullable Pool reader;

  /** No pool is opened any more. */
  private boolean isClosed;

  MysqlEventLoopLink(Vertx vertx, MysqlConfig config) {
    this.vertx = vertx;
    this.config = config;
    this.fullBatch = MysqlInsert.of(config.sink().batchRecords());
  }

  @Override
  public synchronized Future<Void> reset() {
    if (writer != null) {
      writer.close();
      writer = null;
    }
    if (isClosed) {
      return Future.failedFuture(CLOSED);
    }
    try {
      int size = config.sink().inFlight() + MORE_WRITERS;
      writer = pool(size, 2 * size);
      return Future.succeededFuture();
    } catch (IOException | GeneralSecurityException e) {
      return Future.failedFuture(e);
    }
  }

  private synchronized Future<Pool> writer() {
    if (isClosed) {
      return Future.failedFuture(CLOSED);
    }
    return writer == null ? Future.failedFuture("not connected") : Future.succeededFuture(writer);
  }

  private synchronized Future<Pool> reader() {
    if (isClosed) {
      return Future.failedFuture(CLOSED);
    }
    try {
      if (reader == null) {
        reader = pool(config.readers(), config.maxWaitingQueries());
      }
      return Future.succeededFuture(reader);
    } catch (IOException | GeneralSecurityException e) {
      return Future.failedFuture(e);
    }
  }

  private Pool pool(int size, int waiting) throws IOException, GeneralSecurityException {
    PoolOptions options =
        new PoolOptions()
            .setMaxSize(size)
            .setMaxWaitQueueSize(waiting)
            .setConnectionTimeout((int) config.sink().timeoutMs())
            .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
    return MySQLBuilder.pool()
        .using(vertx)
        .with(options)
        .with(net())
        .connectingTo(connect())
        .withConnectHandler(MysqlEventLoopLink::prepare)
        .build();
  }

  /** A server that answers nothing keeps connections open: they end by themselves. */
  private NetClientOptions net() {
    return new NetClientOptions()
        .setConnectTimeout((int) config.sink().timeoutMs())
        .setIdleTimeout((int) (2 * config.sink().timeoutMs()))
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setTcpKeepAlive(true)
        .setTcpNoDelay(true);
  }

  private static void prepare(SqlConnection connection) {
    Future<RowSet<Row>> done = Future.succeededFuture();
    for (String sql : SESSION) {
      done = done.compose(before -> connection.query(sql).execute());
    }
    done.onComplete(prepared -> connection.close());
  }

  private MySQLConnectOptions connect() throws IOException, GeneralSecurityException {
    return MysqlSettings.of(
            config.host(), config.port(), config.database(), config.login(), config.tls())
        .setUseAffectedRows(true)
        .setPreparedStatementCacheMaxSize(16)
        .setPreparedStatementCacheSqlFilter(this::isRepeated);
  }

  /** Batches that are not full have as many statements as sizes; those are not worth keeping. */
  private boolean isRepeated(String sql) {
    return sql.length() == fullBatch.length() || sql.length() < 512;
  }

  @Override
  public Future<Long> write(String sql, List<Object> parameters) {
    return writer().compose(pool -> run(pool, sql, parameters)).map(rows -> (long) rows.rowCount());
  }

  @Override
  public Future<List<Object[]>> ask(String sql, List<Object> parameters) {
    return writer().compose(pool -> run(pool, sql, parameters)).map(MysqlEventLoopLink::rows);
  }

  @Override
  public Future<List<Object[]>> read(String sql, List<Object> parameters) {
    return reader().compose(pool -> run(pool, sql, parameters)).map(MysqlEventLoopLink::rows);
  }

  private static Future<RowSet<Row>> run(Pool pool, String sql, List<Object> parameters) {
    Future<RowSet<Row>> done =
        parameters.isEmpty()
            ? pool.query(sql).execute()
            : pool.preparedQuery(sql).execute(tuple(parameters));
    return done.recover(failure -> Future.failedFuture(asError(failure)));
  }

  private static Tuple tuple(List<Object> parameters) {
    List<Object> values = new ArrayList<>(parameters.size());
    for (Object parameter : parameters) {
      values.add(parameter instanceof byte[] bytes ? Buffer.buffer(bytes) : parameter);
    }
    return Tuple.wrap(values);
  }

  private static Throwable asError(Throwable failure) {
    return failure instanceof DatabaseException error
        ? new MysqlError(ErrorText.of(error), error.getErrorCode(), error.getSqlState(), error)
        : failure;
  }

  private static List<Object[]> rows(RowSet<Row> set) {
    List<Object[]> rows = new ArrayList<>(set.size());
    for (Row row : set) {
      Object[] columns = new Object[row.size()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = column(row.getValue(i));
      }
      rows.add(columns);
    }
    return rows;
  }

  /** Null as it is in the table. */
  private static @Nullable Object column(@Nullable Object value) {
    if (value instanceof Buffer buffer) {
      return buffer.getBytes();
    }
    return value instanceof Number number ? (Object) number.longValue() : value;
  }

  @Override
  public void close() {
    List<Future<Void>> closed = new ArrayList<>();
    synchronized (this) {
      isClosed = true;
      if (writer != null) {
        closed.add(writer.close());
      }
      if (reader != null) {
        closed.add(reader.close());
      }
    }
    try {
      Future.join(closed)
          .toCompletionStage()
          .toCompletableFuture()
          .get(LONGEST_CLOSE_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("the connections of {} are left", config.name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
