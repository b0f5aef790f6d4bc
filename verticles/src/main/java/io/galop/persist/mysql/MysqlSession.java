package io.galop.persist.mysql;

import io.galop.config.persist.MysqlConfig;
import io.galop.persist.sql.PoolLink;
import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.ThreadLink;
import io.galop.store.MysqlSettings;
import io.galop.store.UriHost;
import io.galop.vertx.SqlSessions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;

/** How sessions with the database are made, with either driver. */
record MysqlSession(MysqlConfig config) {
  /**
   * How a session is set, whatever the server's own settings are: nothing is cut to fit, what is
   * answered is committed, and names arrive as they are sent.
   */
  private static final List<String> SESSION =
      List.of(
          MysqlSettings.NAMES,
          "SET SESSION autocommit = 1",
          "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
          "SET SESSION time_zone = '+00:00'",
          "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");

  /** The client of Vert.x. */
  SqlLink onEventLoops(Vertx vertx) {
    return new PoolLink(
        config.name(),
        config.sink(),
        config.readers(),
        config.maxWaitingQueries(),
        (options, net) -> pool(vertx, options, net));
  }

  private Pool pool(Vertx vertx, PoolOptions options, NetClientOptions net) {
    String fullBatch = MysqlInsert.of(config.sink().batchRecords());
    return MySQLBuilder.pool()
        .using(vertx)
        .with(options)
        .with(net)
        .connectingTo(PoolLink.anew(vertx, () -> options(fullBatch)))
        .withConnectHandler(this::prepare)
        .build();
  }

  private MySQLConnectOptions options(String fullBatch)
      throws IOException, GeneralSecurityException {
    return MysqlSettings.of(
            config.host(), config.port(), config.database(), config.login(), config.tls())
        .setUseAffectedRows(true)
        .setPreparedStatementCacheMaxSize(16)
        .setPreparedStatementCacheSqlFilter(sql -> isRepeated(sql, fullBatch));
  }

  /** Batches that are not full have as many statements as sizes; those are not worth keeping. */
  private static boolean isRepeated(String sql, String fullBatch) {
    return sql.length() == fullBatch.length() || sql.length() < 512;
  }

  private void prepare(SqlConnection connection) {
    Future<RowSet<Row>> done = Future.succeededFuture();
    for (String sql : SESSION) {
      done = done.compose(before -> connection.query(sql).execute());
    }
    SqlSessions.settle(config.name(), connection, done);
  }

  /** MariaDB's JDBC driver, which speaks to MySQL as well. */
  SqlLink onThreads() {
    return new ThreadLink(
        config.name(), config.sink(), config.readers(), config.maxWaitingQueries(), this::connect);
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
        "jdbc:mariadb://%s:%d/%s"
            .formatted(UriHost.of(config.host()), config.port(), config.database());
    Connection connection = DriverManager.getConnection(url, options);
    try (Statement statement = connection.createStatement()) {
      for (String sql : SESSION) {
        statement.execute(sql);
      }
    } catch (SQLException | RuntimeException | Error e) {
      connection.close();
      throw e;
    }
    return connection;
  }
}
