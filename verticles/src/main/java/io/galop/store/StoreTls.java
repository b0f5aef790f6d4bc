package io.galop.store;

import io.galop.config.store.StoreTlsConfig;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Whom a connection to a store trusts. */
public final class StoreTls {
  private StoreTls() {}

  /** For clients on event loops; empty: those that Java trusts. */
  public static Optional<PemTrustOptions> trust(StoreTlsConfig config) {
    return config.caFile().isEmpty()
        ? Optional.empty()
        : Optional.of(new PemTrustOptions().addCertPath(config.caFile()));
  }

  /** The same, for clients that must be told whom Java trusts. */
  public static TrustOptions trustOrDefault(StoreTlsConfig config) throws GeneralSecurityException {
    if (!config.caFile().isEmpty()) {
      return new PemTrustOptions().addCertPath(config.caFile());
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init((KeyStore) null);
    return TrustOptions.wrap(managers.getTrustManagers()[0]);
  }

  /** For blocking clients. */
  public static SSLContext context(StoreTlsConfig config)
      throws GeneralSecurityException, IOException {
    return config.caFile().isEmpty() ? SSLContext.getDefault() : Trust.only(config.caFile());
  }
}
