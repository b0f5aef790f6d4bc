package io.galop.ingest.publisher;

import io.galop.record.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** What is counted of one publisher; as many as the configuration names. */
final class PublisherMeters {
  private static final String PREFIX = "galop.ingest.publisher.";

  private final MeterRegistry registry;
  private final String name;
  private final List<Meter> all = new CopyOnWriteArrayList<>();
  private final Map<Reason, Counter> rejected = new ConcurrentHashMap<>();
  private final Counter records;
  private final Counter bytes;
  private final Counter overQuota;
  private final Counter throttled;

  PublisherMeters(MeterRegistry registry, String name) {
    this.registry = registry;
    this.name = name;
    this.records = counter("records", "Records of a publisher that have gone on to enrichment");
    this.bytes = counter("bytes", "Bytes of these records");
    this.overQuota =
        counter("over.quota", "Records of a publisher that were refused as over its quota");
    this.throttled =
        counter(
            "throttled",
            "Times that a publisher was refused or read no further, as it was over its quota or"
                + " had too much in flight");
  }

  private Counter counter(String what, String description) {
    return kept(
        Counter.builder(PREFIX + what)
            .description(description)
            .tag("publisher", name)
            .register(registry));
  }

  void gauge(String what, String description, Supplier<Number> value) {
    kept(
        Gauge.builder(PREFIX + what, value)
            .description(description)
            .tag("publisher", name)
            .register(registry));
  }

  private <M extends Meter> M kept(M meter) {
    all.add(meter);
    return meter;
  }

  void accepted(int count, long size) {
    records.increment(count);
    bytes.increment(size);
  }

  void rejected(Reason reason) {
    rejected.computeIfAbsent(reason, this::rejections).increment();
  }

  private Counter rejections(Reason reason) {
    return kept(
        Counter.builder(PREFIX + "rejected")
            .description("Records of a publisher that were refused, by reason")
            .tags(Tags.of("publisher", name, "reason", reason.word()))
            .register(registry));
  }

  void overQuota() {
    overQuota.increment();
  }

  void throttled() {
    throttled.increment();
  }

  /** The publisher is none any more. */
  void remove() {
    all.forEach(registry::remove);
  }
}
