package io.galop.persist.mysql;

import io.galop.config.persist.MysqlConfig;
import io.galop.jvm.ErrorText;
import io.galop.persist.store.BlockingConnections;
import io.vertx.core.Future;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** MariaDB's JDBC driver, which speaks to MySQL as well, on threads with a connection each. */
final class MysqlThreadLink implements MysqlLink {
  private final MysqlConfig config;
  private final BlockingConnections<Connection> connections;

  MysqlThreadLink(MysqlConfig config) {
    this.config = config;
    this.connections =
        new BlockingConnections<>(
            config.name(),
            config.sink(),
            config.readers(),
            config.maxWaitingQueries(),
            this::connect,
            connection -> connection.abort(Runnable::run));
  }

  private Connection connect() throws SQLException, IOException {
    Properties options = new Properties();
    options.setProperty("user", config.login().user());
    options.setProperty("password", config.login().readPassword());
    options.setProperty("useAffectedRows", "true");
    options.setProperty("useServerPrepStmts", "true");
    options.setProperty("prepStmtCacheSize", "16");
    options.setProperty("connectTimeout", Long.toString(config.sink().timeoutMs()));
    options.setProperty("socketTimeout", Long.toString(config.sink().timeoutMs()));
    if (config.tls().enabled()) {
      options.setProperty("sslMode", config.tls().verifyHost() ? "verify-full" : "verify-ca");
      if (!config.tls().caFile().isEmpty()) {
        options.setProperty("serverSslCert", config.tls().caFile());
      }
    } else {
      options.setProperty("sslMode", "disable");
      options.setProperty("allowPublicKeyRetrieval", "true");
    }
    String url =
        "jdbc:mariadb://%s:%d/%s".formatted(config.host(), config.port(), config.database());
    Connection connection = DriverManager.getConnection(url, options);
    try (Statement statement = connection.createStatement()) {
      for (String sql : SESSION) {
        statement.execute(sql);
      }
    }
    return connection;
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
      if (parameter instanceof String text) {
        statement.setString(at++, text);
      } else if (parameter instanceof byte[] bytes) {
        statement.setBytes(at++, bytes);
      } else {
        statement.setLong(at++, (Long) parameter);
      }
    }
    return statement;
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
                    ? new MysqlError(ErrorText.of(e), e.getErrorCode(), e.getSQLState(), e)
                    : failure));
  }

  @Override
  public void close() {
    connections.close();
  }
}
