package io.galop.ops.access;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts who was not let in, and says so: of wrong logins one line in ten seconds, with how many
 * there were. Who shows none is not told of: browsers begin so. On the event loop of the port.
 */
final class LoginRefusals {
  private static final Logger LOG = LoggerFactory.getLogger(LoginRefusals.class);
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Counter missing;
  private final Counter wrong;
  private long saidNanos = System.nanoTime() - QUIET_NANOS;
  private long unsaid;

  LoginRefusals(MeterRegistry meters) {
    this.missing = counter(meters, "missing");
    this.wrong = counter(meters, "wrong");
  }

  private static Counter counter(MeterRegistry meters, String reason) {
    return Counter.builder("galop.management.logins.refused")
        .description("Requests to the management port without a login, or with a wrong one")
        .tag("reason", reason)
        .register(meters);
  }

  void missing() {
    missing.increment();
  }

  /**
   * Somebody has shown what is nobody's.
   *
   * @param what he has shown
   */
  void wrong(String what, String address) {
    wrong.increment();
    long now = System.nanoTime();
    if (now - saidNanos < QUIET_NANOS) {
      unsaid++;
      return;
    }
    LOG.warn("management: {} from {} is no operator's; {} more before", what, address, unsaid);
    saidNanos = now;
    unsaid = 0;
  }
}
