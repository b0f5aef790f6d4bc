package io.galop.enrich.script.swap;

import io.galop.enrich.step.DeadLetter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What is counted of new versions of a script and of its suspensions. */
final class SwapMeters {
  private static final String PREFIX = "galop.enrich.script.";
  private final MeterRegistry registry;
  private final String name;
  final Counter compared;
  final Counter skipped;
  final Counter differing;
  final Counter failures;
  final Counter suspensions;
  final Counter suspendedRecords;
  final Counter threadsGivenUp;
  final Counter deploysRefused;
  final Counter memoryResets;

  SwapMeters(MeterRegistry registry, String file) {
    this.registry = registry;
    this.name = DeadLetter.baseName(file);
    this.compared = counter("shadow.compared", "Records that a new version was compared on");
    this.skipped = counter("shadow.skipped", "Records that a new version was too slow for");
    this.differing = counter("shadow.differing", "Records that it made something else of");
    this.failures = counter("shadow.failures", "Records that it failed on");
    this.suspensions = counter("suspensions", "Times that a script was suspended");
    this.suspendedRecords = counter("suspended.records", "Records that came meanwhile");
    this.threadsGivenUp = counter("threads.given.up", "Threads that no limit could end");
    this.deploysRefused = counter("deploys.refused", "Versions that came while one waited");
    this.memoryResets = counter("memory.resets", "Times it was reloaded since the heap was full");
    Stream.of(RolloutPhase.values()).filter(RolloutPhase::isEnd).forEach(this::swaps); // from 0 on
  }

  private Counter counter(String meter, String meaning, String... tags) {
    return Counter.builder(PREFIX + meter)
        .description(meaning)
        .tag("name", name)
        .tags(tags)
        .register(registry);
  }

  /** How trials end. */
  Counter swaps(RolloutPhase outcome) {
    return counter(
        "swaps", "Versions that were tried, by what became of them", "outcome", outcome.word());
  }

  void suspended(Supplier<Number> lanes) {
    gauge("suspended", "Event loops on which the script is suspended now", lanes);
  }

  void stateBytes(Supplier<Number> bytes) {
    gauge("states.bytes", "Bytes that the script keeps for all topics, roughly", bytes);
  }

  void hanging(Supplier<Number> threads) {
    gauge("threads.hanging", "Threads that were abandoned and still hang", threads);
  }

  private void gauge(String meter, String meaning, Supplier<Number> value) {
    Gauge.builder(PREFIX + meter, value)
        .description(meaning)
        .tag("name", name)
        .strongReference(true)
        .register(registry);
  }
}
