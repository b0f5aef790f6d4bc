package io.galop.persist.postgres;

import io.galop.config.persist.PostgresConfig;
import io.galop.persist.sql.PoolLink;
import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.ThreadLink;
import io.galop.store.PostgresSettings;
import io.galop.vertx.SqlSessions;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** How sessions with the database are made, with either driver. */
record PostgresSession(PostgresConfig config) {
  /**
   * How a session is set, whatever the role's own settings are. An answer without the disk would
   * move the cursor past what a crash takes back; settings that wait for more than the disk stay.
   * The server ends by itself what nobody waits for any more: it does not see that a connection is
   * closed while a statement waits for a lock, and would keep one session more for each attempt.
   */
  private static final String SESSION =
      "SELECT set_config('default_transaction_isolation', 'read committed', false),"
          + " set_config('synchronous_commit', CASE current_setting('synchronous_commit')"
          + " WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false),"
          + " set_config('statement_timeout', '%d', false)";

  /** The client of Vert.x. */
  SqlLink onEventLoops(Vertx vertx) {
    PoolLink.Maker maker =
        new PoolLink.Maker() {
          @Override
          public Pool pool(PoolOptions options, NetClientOptions net) {
            return open(vertx, options, net);
          }

          @Override
          public String statement(String sql) {
            return numbered(sql);
          }
        };
    return new PoolLink(
        config.name(), config.sink(), config.readers(), config.maxWaitingQueries(), maker);
  }

  private Pool open(Vertx vertx, PoolOptions options, NetClientOptions net) {
    return PgBuilder.pool()
        .using(vertx)
        .with(options)
        .with(net)
        .connectingTo(
            PoolLink.anew(
                vertx,
                () ->
                    PostgresSettings.of(
                        config.host(),
                        config.port(),
                        config.database(),
                        config.login(),
                        config.tls())))
        .withConnectHandler(this::prepare)
        .build();
  }

  private String settings() {
    return SESSION.formatted(2 * config.sink().timeoutMs());
  }

  private void prepare(SqlConnection connection) {
    SqlSessions.settle(config.name(), connection, connection.query(settings()).execute());
  }

  /** This client wants {@code $1}, {@code $2}, … where JDBC has question marks. */
  static String numbered(String sql) {
    StringBuilder numbered = new StringBuilder(sql.length() + 32);
    int number = 0;
    int from = 0;
    for (int at = sql.indexOf('?'); at >= 0; at = sql.indexOf('?', from)) {
      numbered.append(sql, from, at).append('$').append(++number);
      from = at + 1;
    }
    return numbered.append(sql, from, sql.length()).toString();
  }

  /** PostgreSQL's JDBC driver. */
  SqlLink onThreads() {
    return new ThreadLink(
        config.name(), config.sink(), config.readers(), config.maxWaitingQueries(), this::connect);
  }

  private Connection connect() throws SQLException, IOException {
    String url =
        "jdbc:postgresql://%s:%d/%s".formatted(config.host(), config.port(), config.database());
    Connection connection = DriverManager.getConnection(url, properties());
    try (Statement statement = connection.createStatement()) {
      statement.execute(settings());
    } catch (SQLException | RuntimeException | Error e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  private Properties properties() throws IOException {
    String seconds =
        Long.toString(
            Math.max(1, TimeUnit.MILLISECONDS.toSeconds(config.sink().timeoutMs() + 999)));
    Properties options = new Properties();
    options.setProperty("user", config.login().user());
    options.setProperty("password", config.login().readPassword());
    options.setProperty("ApplicationName", "galop");
    options.setProperty("connectTimeout", seconds);
    options.setProperty("socketTimeout", seconds);
    options.setProperty("tcpKeepAlive", "true");
    options.setProperty("prepareThreshold", "1");
    options.setProperty("preparedStatementCacheQueries", "32");
    if (!config.tls().enabled()) {
      options.setProperty("sslmode", "disable");
      return options;
    }
    options.setProperty("sslmode", config.tls().verifyHost() ? "verify-full" : "verify-ca");
    if (config.tls().caFile().isEmpty()) {
      options.setProperty("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
    } else {
      options.setProperty("sslrootcert", config.tls().caFile());
    }
    return options;
  }
}
