package io.galop.persist.sql;

import io.galop.config.persist.SinkConfig;
import io.galop.jvm.ErrorText;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.DatabaseException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of Vert.x: a pool for what is written, as many connections as batches, and one for what
 * is read.
 */
public final class PoolLink implements SqlLink {
  private static final Logger LOG = LoggerFactory.getLogger(PoolLink.class);
  private static final Pattern IN_BRACES =
      Pattern.compile(
          "^\\{errorMessage=(.*), errorCode=(\\d+), sqlState=(\\w*)\\}$", Pattern.DOTALL);
  private static final String CLOSED = "the sink is closed";
  private static final long LONGEST_CLOSE_S = 5;

  /** For the cursor and for deletes, beside the batches. */
  private static final int MORE_WRITERS = 1;

  private final String name;
  private final SinkConfig sink;
  private final int readers;
  private final int maxWaitingQueries;
  private final Maker maker;

  /** Null until the sink has connected. */
  private @Nullable Pool writer;

  /** Null until the first question. */
  private @Nullable Pool reader;

  /** No pool is opened any more. */
  private boolean isClosed;

  /** Knows one kind of database. */
  public interface Maker {
    /** A pool whose sessions are ready for use. */
    Pool pool(PoolOptions options, NetClientOptions net);

    /** The statement as the client wants it, which may name parameters otherwise. */
    default String statement(String sql) {
      return sql;
    }
  }

  /** Not connected yet. */
  public PoolLink(String name, SinkConfig sink, int readers, int maxWaitingQueries, Maker maker) {
    this.name = name;
    this.sink = sink;
    this.readers = readers;
    this.maxWaitingQueries = maxWaitingQueries;
    this.maker = maker;
  }

  /**
   * What each new session is connected with: its password is read anew, so that it can be changed
   * while a pool lives.
   *
   * @param options reads files, and so may block; on a worker thread
   */
  public static Supplier<Future<SqlConnectOptions>> anew(
      Vertx vertx, Callable<SqlConnectOptions> options) {
    return () -> vertx.executeBlocking(options, false);
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
    int size = sink.inFlight() + MORE_WRITERS;
    writer = pool(size, 2 * size);
    return Future.succeededFuture();
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
    if (reader == null) {
      reader = pool(readers, maxWaitingQueries);
    }
    return Future.succeededFuture(reader);
  }

  private Pool pool(int size, int waiting) {
    PoolOptions options =
        new PoolOptions()
            .setMaxSize(size)
            .setMaxWaitQueueSize(waiting)
            .setConnectionTimeout((int) sink.timeoutMs())
            .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
    return maker.pool(options, net());
  }

  /** A server that answers nothing keeps connections open: they end by themselves. */
  private NetClientOptions net() {
    return new NetClientOptions()
        .setConnectTimeout((int) sink.timeoutMs())
        .setIdleTimeout((int) (2 * sink.timeoutMs()))
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setTcpKeepAlive(true)
        .setTcpNoDelay(true);
  }

  @Override
  public Future<Long> write(String sql, List<Object> parameters) {
    return writer().compose(pool -> run(pool, sql, parameters)).map(rows -> (long) rows.rowCount());
  }

  @Override
  public Future<List<Object[]>> ask(String sql, List<Object> parameters) {
    return writer().compose(pool -> run(pool, sql, parameters)).map(PoolLink::rows);
  }

  @Override
  public Future<List<Object[]>> read(String sql, List<Object> parameters) {
    return reader().compose(pool -> run(pool, sql, parameters)).map(PoolLink::rows);
  }

  private Future<RowSet<Row>> run(Pool pool, String sql, List<Object> parameters) {
    Future<RowSet<Row>> done =
        parameters.isEmpty()
            ? pool.query(sql).execute()
            : pool.preparedQuery(maker.statement(sql)).execute(tuple(parameters));
    return done.recover(failure -> Future.failedFuture(asError(failure)));
  }

  private static Tuple tuple(List<Object> parameters) {
    List<Object> values = new ArrayList<>(parameters.size());
    for (Object parameter : parameters) {
      values.add(value(parameter));
    }
    return Tuple.wrap(values);
  }

  private static Object value(Object parameter) {
    if (parameter instanceof byte[] bytes) {
      return Buffer.buffer(bytes);
    }
    return parameter instanceof byte[][] all
        ? Arrays.stream(all).map(Buffer::buffer).toArray(Buffer[]::new)
        : parameter;
  }

  private static Throwable asError(Throwable failure) {
    return failure instanceof DatabaseException error
        ? new SqlError(
            words(ErrorText.of(error)),
            error.getErrorCode(),
            error.getSqlState(),
            error instanceof PgException told ? source(told) : null,
            error.getCause())
        : failure;
  }

  private static @Nullable String source(PgException told) {
    return SqlError.source(told.getFile(), told.getWhere());
  }

  /** The client for MySQL puts braces around what the server says. */
  static String words(String message) {
    return IN_BRACES.matcher(message).replaceFirst("$1 (error $2, $3)");
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
      LOG.debug("the connections of {} are left", name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
