package io.galop.broadcast.edge;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;

/**
 * How the set of keys is doing, whichever it is: a node may be given another while it runs. Safe to
 * use from any thread.
 */
final class JwksMeters {
  private static final String METERS = "galop.broadcast.token.keys";

  private final Counter read;
  private final Counter failed;

  /** Whether keys come from a set at all. */
  private volatile boolean hasSet;

  private volatile boolean isStale;
  private volatile long goodNanos = System.nanoTime();

  JwksMeters(MeterRegistry meters, TokenKeys keys) {
    this.read = looks(meters, "ok");
    this.failed = looks(meters, "failed");
    Gauge.builder(METERS, () -> keys.now().size())
        .description("Keys that viewers' tokens are verified with")
        .register(meters);
    Gauge.builder(METERS + ".stale", () -> isStale ? 1 : 0)
        .description("1 while the set of keys cannot be read")
        .register(meters);
    Gauge.builder(METERS + ".age.seconds", this::ageSeconds)
        .description("Since the set of keys was read last; 0 where keys come from no set")
        .register(meters);
  }

  private static Counter looks(MeterRegistry meters, String result) {
    return Counter.builder(METERS + ".looks")
        .description("Looks at the set of keys")
        .tag("result", result)
        .register(meters);
  }

  private double ageSeconds() {
    return hasSet ? (System.nanoTime() - goodNanos) / (double) TimeUnit.SECONDS.toNanos(1) : 0;
  }

  /** A set will be read, and was not yet. */
  void awaitSet() {
    hasSet = true;
    isStale = true;
    goodNanos = System.nanoTime();
  }

  void good() {
    hasSet = true;
    read.increment();
    goodNanos = System.nanoTime();
    isStale = false;
  }

  void failed() {
    failed.increment();
    isStale = true;
  }

  /** Keys come from no set any more. */
  void noSet() {
    hasSet = false;
    isStale = false;
  }
}
