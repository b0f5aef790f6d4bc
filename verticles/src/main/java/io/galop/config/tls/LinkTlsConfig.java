package io.galop.config.tls;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;

/** What a node shows a relay that it dials, and whom it believes. */
public record LinkTlsConfig(
    @Doc(
            "A PEM file with this node's certificate and those between it and its "
                + "authority; the relay's tls.clientCa must have that authority.")
        @Default("")
        String certificate,
    @Doc("A PEM file with the certificate's private key (PKCS #8, not encrypted).") @Default("")
        String key,
    @Doc(
            "A PEM file with the authority of the relay's certificate, which must name "
                + "the host that is dialled.")
        @Default("")
        String ca) {
  public LinkTlsConfig {
    boolean isGiven = !certificate.isEmpty();
    if (isGiven == key.isEmpty() || isGiven == ca.isEmpty()) {
      throw new IllegalArgumentException("certificate, key and ca must be given together");
    }
  }

  /** Whether the link is encrypted. */
  public boolean isGiven() {
    return !certificate.isEmpty();
  }
}
