package io.galop.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** What becomes of spans. From any thread. */
final class SpanMeters {
  final Counter sent;
  final Counter dropped;
  final Counter failed;

  /** Those that wait or are under way. */
  final AtomicInteger waiting = new AtomicInteger();

  SpanMeters(MeterRegistry registry) {
    sent = counter(registry, "sent");
    dropped = counter(registry, "dropped");
    failed = counter(registry, "failed");
    Gauge.builder("galop.telemetry.spans.waiting", waiting, AtomicInteger::get)
        .description("Spans that wait for the collector or are under way to it")
        .register(registry);
  }

  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("galop.telemetry.spans")
        .description(
            "Spans that the collector took (sent), did not take (failed), or that there was no"
                + " room for (dropped)")
        .tag("outcome", outcome)
        .register(registry);
  }
}
