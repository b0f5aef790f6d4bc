package io.galop.ops;

import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.socket.ListenerTls;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.time.Instant;

/** Has listeners take renewed certificates, and says when one ends soon. */
final class CertificateCheck implements Check {
  private static final Duration SOON = Duration.ofDays(14);

  private final Node node;

  CertificateCheck(Node node) {
    this.node = node;
    node.listeners().tls().all().forEach(this::count);
  }

  private void count(ListenerTls tls) {
    Gauge.builder("galop.tls.certificate.until", tls, one -> one.until().getEpochSecond())
        .description("When the certificate of a listener ends, since 1970")
        .baseUnit("seconds")
        .tag("listener", tls.name())
        .register(node.meters());
    FunctionCounter.builder("galop.tls.refused", tls, ListenerTls::refused)
        .description("Connections that came to no TLS")
        .tag("listener", tls.name())
        .register(node.meters());
  }

  @Override
  public void look(MeterSums meters) {
    for (ListenerTls tls : node.listeners().tls().all()) {
      tls.look();
      judge(tls, Instant.now());
    }
  }

  private void judge(ListenerTls tls, Instant now) {
    Readiness readiness = node.readiness();
    String part = "tls." + tls.name();
    String whose = "the certificate of %s for %s".formatted(tls.name(), tls.subject());
    String renew =
        "put a new one into %s and its key; they are taken without a restart"
            .formatted(tls.certificateFile());
    if (now.isAfter(tls.until())) {
      readiness.warn(part, "%s expired on %s".formatted(whose, tls.until()), renew);
    } else if (tls.problem().isPresent()) {
      readiness.warn(
          part,
          "%s stays, until %s, as the new one was refused: %s"
              .formatted(whose, tls.until(), tls.problem().get()),
          "mend the files; they are taken without a restart");
    } else if (now.plus(SOON).isAfter(tls.until())) {
      readiness.warn(part, "%s is valid until %s only".formatted(whose, tls.until()), renew);
    } else {
      readiness.calm(part, "its certificate is valid until " + tls.until());
    }
  }
}
