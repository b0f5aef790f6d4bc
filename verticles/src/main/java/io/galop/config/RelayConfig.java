package io.galop.config;

import io.galop.config.tls.LinkTlsConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** A relay that this node dials. */
public record RelayConfig(
    @Doc("The address of the relay's broadcast.link.") String host,
    @Doc("Its port.") @Default("7900") @Range(min = 1, max = 65535) int port,
    @Doc("Certificates: both sides show theirs, in TLS 1.3.") LinkTlsConfig tls,
    @Doc(
            "Whether the relay may ask for history and for records that it has missed; false: it "
                + "is sent the feed unasked, and only acknowledges it.")
        @Default("true")
        boolean questions,
    @Doc("Whether a relay on loopback may be dialled without TLS.") @Default("false")
        boolean insecure) {
  public RelayConfig {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("host must name the relay");
    }
    boolean mayBeClear = insecure && Listener.isLoopback(host);
    if (!tls.isGiven() && !mayBeClear) {
      throw new IllegalArgumentException(
          "tls.certificate, tls.key and tls.ca must be given: a link needs TLS (insecure: true"
              + " does without on loopback only)");
    }
  }

  /** The relay in words. */
  public String address() {
    return host + ':' + port;
  }
}
