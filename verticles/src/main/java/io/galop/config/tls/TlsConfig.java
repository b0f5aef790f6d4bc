package io.galop.config.tls;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import java.util.List;

/** TLS of a listener. */
public record TlsConfig(
    @Doc(
            "A PEM file with the certificate and those between it and its authority; "
                + "empty: no TLS.")
        @Default("")
        String certificate,
    @Doc("A PEM file with the certificate's private key (PKCS #8, not encrypted).") @Default("")
        String key,
    @Doc("A PEM file with the authorities of clients' certificates; empty: clients show none.")
        @Default("")
        String clientCa,
    @Doc("Whether clients must show a certificate of clientCa, or may do without.")
        @Default("required")
        ClientCertificate clientCertificate,
    @Doc("The oldest version of TLS that is spoken: 1.2 or 1.3.") @Default("1.2")
        String minVersion) {
  private static final List<String> VERSIONS = List.of("1.2", "1.3");

  /** What is asked of clients. */
  public enum ClientCertificate {
    /** A client without one is let in; a wrong one is refused. */
    OPTIONAL,
    /** A client without one is refused. */
    REQUIRED
  }

  public TlsConfig {
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new IllegalArgumentException(
          (key.isEmpty() ? "key" : "certificate") + " must be given too: a listener needs both");
    }
    if (certificate.isEmpty() && !clientCa.isEmpty()) {
      throw new IllegalArgumentException(
          "certificate must be given too: clients show theirs to a listener that has one");
    }
    if (!VERSIONS.contains(minVersion)) {
      throw new IllegalArgumentException(
          "minVersion must be 1.2 or 1.3, not '" + minVersion + "': older ones are not safe");
    }
  }

  /** No TLS. */
  public static TlsConfig none() {
    return new TlsConfig("", "", "", ClientCertificate.REQUIRED, VERSIONS.get(0));
  }

  /** Whether the listener is encrypted. */
  public boolean isGiven() {
    return !certificate.isEmpty();
  }

  /** Those that are spoken, as {@code 1.3}; the newest first. */
  public List<String> versions() {
    return minVersion.equals("1.3") ? List.of("1.3") : List.of("1.3", "1.2");
  }
}
