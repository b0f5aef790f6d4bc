package io.galop.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Trusts only the authorities of a PEM file. */
public final class Trust {
  private Trust() {}

  /**
   * Reads the file; blocks.
   *
   * @throws IOException naming the file, if it cannot be read or holds no certificate
   */
  public static SSLContext only(String caFile) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers(caFile), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificates of " + caFile + " cannot be used", e);
    }
  }

  /** The same, for clients that make a context of their own. */
  public static TrustManager[] managers(String caFile) throws IOException {
    try (InputStream pem = Files.newInputStream(Path.of(caFile))) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int count = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        trusted.setCertificateEntry("ca-" + count++, each);
      }
      if (count == 0) {
        throw new IOException("the file " + caFile + " holds no certificate");
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      return managers.getTrustManagers();
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificates of " + caFile + " cannot be used", e);
    }
  }
}
