package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;

/** Certificates of the nodes of a cluster, in place of a secret on the event bus. */
public record ClusterTlsConfig(
    @Doc("A PEM file with this node's certificate chain; empty: the event bus is not encrypted.")
        @Default("")
        String certificateFile,
    @Doc("A PEM file with the certificate's private key (PKCS #8).") @Default("") String keyFile,
    @Doc("A PEM file with the authority of the nodes, which must sign for nobody else.")
        @Default("")
        String caFile) {
  public ClusterTlsConfig {
    boolean isGiven = !certificateFile.isEmpty();
    if (isGiven == keyFile.isEmpty() || isGiven == caFile.isEmpty()) {
      throw new IllegalArgumentException(
          "certificateFile, keyFile and caFile must be given together");
    }
  }

  /** No TLS. */
  public static ClusterTlsConfig none() {
    return new ClusterTlsConfig("", "", "");
  }

  /** Whether the event bus is encrypted, and asks for certificates. */
  public boolean isGiven() {
    return !certificateFile.isEmpty();
  }
}
