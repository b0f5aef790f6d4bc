package io.galop.store;

import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.SslMode;
import java.io.IOException;
import java.security.GeneralSecurityException;

/** What is configured about a MySQL or MariaDB, as the client on event loops takes it. */
public final class MysqlSettings {
  /**
   * What a session begins with: the server may not take the client's word for its character set
   * ({@code init_connect}, {@code skip-character-set-client-handshake}).
   */
  public static final String NAMES = "SET NAMES utf8mb4";

  private MysqlSettings() {}

  /**
   * The settings; reads the file of the password, so it blocks.
   *
   * @throws IOException naming the file that cannot be used
   */
  public static MySQLConnectOptions of(
      String host, int port, String database, StoreLoginConfig login, StoreTlsConfig tls)
      throws IOException, GeneralSecurityException {
    MySQLConnectOptions options =
        new MySQLConnectOptions()
            .setHost(host)
            .setPort(port)
            .setDatabase(database)
            .setUser(login.user())
            .setPassword(login.readPassword())
            .setCharset("utf8mb4")
            .setCachePreparedStatements(true)
            .setSslMode(SslMode.DISABLED);
    if (tls.enabled()) {
      options
          .setSslMode(tls.verifyHost() ? SslMode.VERIFY_IDENTITY : SslMode.VERIFY_CA)
          .setSslOptions(
              new ClientSSLOptions()
                  .setTrustOptions(StoreTls.trustOrDefault(tls))
                  .setHostnameVerificationAlgorithm(tls.verifyHost() ? "HTTPS" : ""));
    }
    return options;
  }
}
