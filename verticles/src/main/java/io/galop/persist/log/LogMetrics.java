package io.galop.persist.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** What the Log counts. */
final class LogMetrics {
  static final String PREFIX = "galop.persist.log.";
  private final MeterRegistry meters;
  final Timer fsync;
  final DistributionSummary group;
  final Counter refused;
  final Counter damaged;
  final Counter failures;

  LogMetrics(MeterRegistry meters) {
    this.meters = meters;
    fsync =
        Timer.builder(PREFIX + "fsync")
            .description("Time of one write and fsync of a group")
            .publishPercentileHistogram()
            .register(meters);
    group =
        DistributionSummary.builder(PREFIX + "group")
            .baseUnit("records")
            .description("Records that became durable with one fsync")
            .register(meters);
    refused = counter("refused", "batches", "Batches refused: busy, over quota or failed");
    damaged = counter("damaged", "stretches", "Stretches of the Log that could not be read");
    failures = counter("failures", "errors", "Errors of the disk; the first one stops the Log");
  }

  private Counter counter(String name, String unit, String description) {
    return Counter.builder(PREFIX + name).baseUnit(unit).description(description).register(meters);
  }
}
