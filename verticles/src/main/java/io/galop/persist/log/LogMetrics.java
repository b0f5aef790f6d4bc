package io.galop.persist.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.function.ToDoubleFunction;

/** What the Log counts. */
final class LogMetrics {
  private static final String PREFIX = "galop.persist.log.";
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

  void watch(OpenLog log, long inFlightBytes) {
    gauge("queue", "bytes", "Bytes that wait for the disk", log, l -> l.queue().bytes());
    gauge("size", "bytes", "Bytes of the Log on the disk", log, l -> l.segments().diskBytes());
    gauge("segments", "files", "Segments of the Log", log, l -> l.segments().count());
    gauge(
        "over.quota",
        "state",
        "1: records are refused, as there is no room for them",
        log,
        l -> l.isOverQuota(inFlightBytes) ? 1 : 0);
    gauge(
        "no.room",
        "state",
        "1: there is no room for another segment behind the one in use",
        log,
        l -> l.spare().isNoRoom() ? 1 : 0);
  }

  private void gauge(
      String name, String unit, String description, OpenLog log, ToDoubleFunction<OpenLog> value) {
    Gauge.builder(PREFIX + name, log, value)
        .baseUnit(unit)
        .description(description)
        .register(meters);
  }
}
