package io.galop.config.broadcast;

import io.galop.config.tls.TlsConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Where nodes of the secure zone bring a relay its feed. */
public record LinkConfig(
    @Doc(
            "The address on which nodes of the secure zone dial this node, which is a "
                + "relay then; empty: the feed comes from the cluster.")
        @Default("")
        String host,
    @Doc("The port; 0 takes a free one.") @Default("7900") @Range(min = 0, max = 65535) int port,
    @Doc(
            "TLS of this listener: clientCa must be given, a certificate is always "
                + "asked for, and only TLS 1.3 is spoken.")
        TlsConfig tls,
    @Doc("Whether the listener may be on loopback without TLS.") @Default("false")
        boolean insecure) {
  private static final String ONLY_VERSION = "1.3";

  public LinkConfig {
    if (tls.isGiven()) {
      if (tls.clientCa().isEmpty()) {
        throw new IllegalArgumentException(
            "tls.clientCa must be given: it tells who may bring the feed");
      }
      tls =
          new TlsConfig(
              tls.certificate(),
              tls.key(),
              tls.clientCa(),
              TlsConfig.ClientCertificate.REQUIRED,
              ONLY_VERSION);
    }
  }

  /** Whether the node is a relay. */
  public boolean isGiven() {
    return !host.isEmpty();
  }
}
