package io.galop.persist.cold;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.function.ToDoubleFunction;

/** What the sink counts. */
final class ColdMetrics {
  private static final String PREFIX = "galop.persist.cold.";
  final Counter stored;
  final Counter known;
  final Counter passed;
  final Counter failures;
  final Timer transaction;

  ColdMetrics(MeterRegistry meters, ColdSink sink) {
    stored = counter(meters, "stored", "Records stored");
    known = counter(meters, "known", "Records that were in the store already");
    passed = counter(meters, "passed", "Records left out by persist.cold.every");
    failures = counter(meters, "failures", "Attempts that failed; they are made again");
    transaction = Timer.builder(PREFIX + "transaction").register(meters);
    gauge(meters, "lag.bytes", sink, s -> s.lagBytes());
    gauge(meters, "lag.seconds", sink, s -> s.lagSeconds());
  }

  private static Counter counter(MeterRegistry meters, String name, String description) {
    return Counter.builder(PREFIX + name).description(description).register(meters);
  }

  private static void gauge(
      MeterRegistry meters, String name, ColdSink sink, ToDoubleFunction<ColdSink> value) {
    Gauge.builder(PREFIX + name, sink, value)
        .description("How far the store is behind the Log")
        .register(meters);
  }
}
