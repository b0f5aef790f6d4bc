package io.galop.store;

import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.io.IOException;
import java.security.GeneralSecurityException;

/** What is configured about a PostgreSQL, as the client on event loops takes it. */
public final class PostgresSettings {
  private PostgresSettings() {}

  /**
   * The settings; reads the file of the password, so it blocks.
   *
   * @throws IOException naming the file that cannot be used
   */
  public static PgConnectOptions of(
      String host, int port, String database, StoreLoginConfig login, StoreTlsConfig tls)
      throws IOException, GeneralSecurityException {
    PgConnectOptions options =
        new PgConnectOptions()
            .setHost(host)
            .setPort(port)
            .setDatabase(database)
            .setUser(login.user())
            .setPassword(login.readPassword())
            .addProperty("application_name", "galop")
            .setCachePreparedStatements(true)
            .setSslMode(SslMode.DISABLE);
    if (tls.enabled()) {
      options
          .setSslMode(tls.verifyHost() ? SslMode.VERIFY_FULL : SslMode.VERIFY_CA)
          .setSslOptions(
              new ClientSSLOptions()
                  .setTrustOptions(StoreTls.trustOrDefault(tls))
                  .setHostnameVerificationAlgorithm(tls.verifyHost() ? "HTTPS" : ""));
    }
    return options;
  }
}
