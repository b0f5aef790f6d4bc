package io.galop.ingest.poll;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

/** What is counted of one polled source. */
final class PollMeters {
  final Counter changed;
  final Counter unchanged;
  final Counter failed;
  final Counter itemsChanged;
  final Counter itemsUnchanged;
  final Counter itemsGone;
  final Counter itemsRefused;
  final Counter itemsOverLimit;
  final AtomicLong topics = new AtomicLong();
  final AtomicLong asking = new AtomicLong();
  final AtomicLong asleep = new AtomicLong();
  private final AtomicLong goodNs = new AtomicLong(System.nanoTime());

  PollMeters(MeterRegistry registry, String source) {
    changed = request(registry, source, "changed");
    unchanged = request(registry, source, "unchanged");
    failed = request(registry, source, "failed");
    itemsChanged = item(registry, source, "changed");
    itemsUnchanged = item(registry, source, "unchanged");
    itemsGone = item(registry, source, "gone");
    itemsRefused = item(registry, source, "refused");
    itemsOverLimit = item(registry, source, "over_limit");
    gauge(
        "topics",
        "Topics that the source has",
        this,
        meters -> meters.topics.get(),
        source,
        registry);
    gauge(
        "asking",
        "1: this node asks the source",
        this,
        meters -> meters.asking.get(),
        source,
        registry);
    gauge(
        "asleep",
        "1: this node does not ask the source, as nobody watches",
        this,
        meters -> meters.asleep.get(),
        source,
        registry);
    gauge(
        "age.seconds",
        "Seconds since an answer could be used",
        this,
        PollMeters::ageSeconds,
        source,
        registry);
  }

  private static <T> void gauge(
      String name,
      String what,
      T of,
      ToDoubleFunction<T> value,
      String source,
      MeterRegistry registry) {
    Gauge.builder("galop.ingest.poll." + name, of, value)
        .description(what)
        .tag("source", source)
        .register(registry);
  }

  private static Counter counter(
      MeterRegistry registry, String name, String what, String source, String outcome) {
    return Counter.builder("galop.ingest.poll." + name)
        .description(what)
        .tags("source", source, "outcome", outcome)
        .register(registry);
  }

  private static Counter request(MeterRegistry registry, String source, String outcome) {
    return counter(registry, "requests", "Requests to a source, by outcome", source, outcome);
  }

  private static Counter item(MeterRegistry registry, String source, String outcome) {
    return counter(registry, "items", "Items of answers, by outcome", source, outcome);
  }

  /** An answer could be used: what is shown is as old as that. */
  void good() {
    goodNs.set(System.nanoTime());
  }

  /** How long ago that was; 0 on a node that does not ask. */
  private double ageSeconds() {
    return asking.get() == 0 ? 0 : (System.nanoTime() - goodNs.get()) / 1e9;
  }
}
