package io.galop.persist.sink;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/** What a sink counts, under the tag {@code sink}. */
final class SinkMetrics {
  private static final String PREFIX = "galop.persist.sink.";
  final Counter stored;
  final Counter storedBytes;
  final Counter known;
  final Counter passed;
  final Counter retries;
  final Counter rewinds;
  final Counter deadLetters;
  final Counter sampledEarly;
  final Counter deleteFailures;
  final Counter gaveWay;

  /** Records of the sampling that wait for the end of their interval. */
  final AtomicInteger sampling = new AtomicInteger();

  final Timer batch;
  private final MeterRegistry meters;
  private final Tags tags;

  SinkMetrics(MeterRegistry meters, SinkState sink) {
    this.meters = meters;
    this.tags = Tags.of("sink", sink.name());
    stored = counter("stored", "Records stored");
    storedBytes = counter("stored.bytes", "Bytes of the batches stored");
    known = counter("known", "Records that were in the store already");
    passed = counter("passed", "Records skipped by the sampling rules");
    retries = counter("retries", "Attempts that failed; they are made again");
    rewinds = counter("rewinds", "Times that the store held less than was known to be stored");
    deadLetters = counter("dead.letters", "Records that the store does not take");
    sampledEarly =
        counter("sampled.early", "Records kept before their interval was over, for room");
    deleteFailures = counter("delete.failures", "Times that old records could not be deleted");
    gaveWay = counter("gave.way", "Batches that waited since event loops were late");
    batch =
        Timer.builder(PREFIX + "batch").description("Time of a batch").tags(tags).register(meters);
    gauge("lag.bytes", "Bytes of the Log that are not in the store", sink, SinkState::lagBytes);
    gauge("lag.records", "About how many records that is", sink, SinkState::lagRecords);
    gauge("lag.seconds", "Age of the oldest of them", sink, SinkState::lagSeconds);
    Gauge.builder(PREFIX + "sampling", sampling, AtomicInteger::get)
        .description("Records that wait for the end of their interval")
        .tags(tags)
        .register(meters);
    gauge("in.flight", "Batches under way to the store", sink, SinkState::inFlight);
    gauge("in.flight.bytes", "Bytes under way to the store", sink, SinkState::inFlightBytes);
    gauge("held", "1: stays at a record whose letter has no place", sink, s -> s.isHeld() ? 1 : 0);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(PREFIX + name).description(description).tags(tags).register(meters);
  }

  private void gauge(
      String name, String description, SinkState sink, ToDoubleFunction<SinkState> value) {
    Gauge.builder(PREFIX + name, sink, value).description(description).tags(tags).register(meters);
  }
}
