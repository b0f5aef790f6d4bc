package io.galop.ingest.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** What is counted of one source. */
final class KafkaMeters {
  private static final String PREFIX = "galop.ingest.kafka.";

  final Counter letters;
  final Counter skipped;
  final Counter missed;
  final Counter cut;
  final Counter failures;
  final Counter retries;
  final AtomicLong connections = new AtomicLong();
  final AtomicLong partitions = new AtomicLong();
  final AtomicLong inFlight = new AtomicLong();
  final AtomicLong held = new AtomicLong();
  final AtomicLong lag = new AtomicLong();

  private final MeterRegistry registry;
  private final String source;

  KafkaMeters(MeterRegistry registry, String source) {
    this.registry = registry;
    this.source = source;
    letters = counter("letters", "Bad messages that became dead letters");
    skipped = counter("skipped", "Bad messages that were skipped");
    missed = counter("missed", "Offsets that Kafka deleted before they were read");
    cut = counter("cut", "Times that a partition ended before what was read of it");
    failures = counter("failures", "Times that the consumer was given up and made anew");
    retries = counter("retries", "Times that messages were handed on again after a refusal");
    gauge("connections", "Connections to brokers", connections);
    gauge("partitions", "Partitions that this node consumes", partitions);
    gauge("in.flight", "Messages handed on and not settled", inFlight);
    gauge("held", "Partitions that wait, as a record was refused for now", held);
    gauge("lag", "Messages that the partition furthest behind has not polled yet", lag);
  }

  private Counter counter(String name, String what) {
    return Counter.builder(PREFIX + name)
        .description(what)
        .tag("source", source)
        .register(registry);
  }

  private void gauge(String name, String what, AtomicLong value) {
    Gauge.builder(PREFIX + name, value, AtomicLong::get)
        .description(what)
        .tag("source", source)
        .register(registry);
  }
}
