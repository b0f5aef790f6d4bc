package io.galop.persist.sql;

import io.galop.config.persist.SinkConfig;
import io.galop.jvm.ErrorText;
import io.galop.persist.store.BlockingConnections;
import io.galop.persist.store.ThreadConnections;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** A JDBC driver on threads with a connection each. */
public final class ThreadLink implements SqlLink {
  private static final int PROBE_SECONDS = 2;
  private final BlockingConnections<Connection> connections;

  /** Not connected yet; {@code connect} blocks, and makes a session ready for use. */
  public ThreadLink(
      String name,
      SinkConfig sink,
      int readers,
      int maxWaitingQueries,
      ThreadConnections.Maker<Connection> connect) {
    this.connections =
        new BlockingConnections<>(
            name,
            sink,
            readers,
            maxWaitingQueries,
            connect,
            connection -> connection.abort(Runnable::run),
            connection -> connection.isValid(PROBE_SECONDS));
  }

  @Override
  public Future<Void> reset() {
    connections.resetWriters();
    return Future.succeededFuture();
  }

  @Override
  public Future<Long> write(String sql, List<Object> parameters) {
    return told(connections.write(connection -> update(connection, sql, parameters)));
  }

  @Override
  public Future<List<Object[]>> ask(String sql, List<Object> parameters) {
    return told(connections.write(connection -> rows(connection, sql, parameters)));
  }

  @Override
  public Future<List<Object[]>> read(String sql, List<Object> parameters) {
    return told(connections.read(connection -> rows(connection, sql, parameters)));
  }

  private static long update(Connection connection, String sql, List<Object> parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  private static PreparedStatement prepare(
      Connection connection, String sql, List<Object> parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    int at = 1;
    for (Object parameter : parameters) {
      set(statement, at++, parameter);
    }
    return statement;
  }

  private static void set(PreparedStatement statement, int at, Object parameter)
      throws SQLException {
    if (parameter instanceof String text) {
      statement.setString(at, text);
    } else if (parameter instanceof byte[] bytes) {
      statement.setBytes(at, bytes);
    } else if (parameter instanceof Long number) {
      statement.setLong(at, number);
    } else if (parameter instanceof String[] texts) {
      statement.setArray(at, statement.getConnection().createArrayOf("text", texts));
    } else if (parameter instanceof Long[] numbers) {
      statement.setArray(at, statement.getConnection().createArrayOf("bigint", numbers));
    } else {
      statement.setArray(
          at, statement.getConnection().createArrayOf("bytea", (byte[][]) parameter));
    }
  }

  private static List<Object[]> rows(Connection connection, String sql, List<Object> parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet set = statement.executeQuery()) {
      int columns = set.getMetaData().getColumnCount();
      List<Object[]> rows = new ArrayList<>();
      while (set.next()) {
        Object[] row = new Object[columns];
        for (int i = 0; i < columns; i++) {
          Object value = set.getObject(i + 1);
          row[i] = value instanceof Number number ? (Object) number.longValue() : value;
        }
        rows.add(row);
      }
      return rows;
    }
  }

  private static <T> Future<T> told(Future<T> done) {
    return done.recover(
        failure ->
            Future.failedFuture(
                failure instanceof SQLException e
                    ? new SqlError(ErrorText.of(e), e.getErrorCode(), e.getSQLState(), source(e), e)
                    : failure));
  }

  private static @Nullable String source(SQLException e) {
    ServerErrorMessage told = e instanceof PSQLException p ? p.getServerErrorMessage() : null;
    return told == null ? null : SqlError.source(told.getFile(), told.getWhere());
  }

  @Override
  public void close() {
    connections.close();
  }
}
