package io.galop.extend;

import io.galop.config.VerticleConfig.Overflow;
import io.galop.record.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** What the instances of a verticle count together. From any thread. */
final class VerticleMeters {
  private static final String TAG = "verticle";

  private final MeterRegistry registry;
  private final String name;
  private final AtomicLong instances;
  private final AtomicLong inFlightBytes;
  private final AtomicLong waitingBytes;
  private final Counter published;
  private final Counter consumed;
  private final Counter gaps;
  private final Counter errors;
  private final Counter ticks;
  private final Counter ticksMissed;

  VerticleMeters(MeterRegistry registry, String name) {
    this.registry = registry;
    this.name = name;
    this.instances = gauge("instances", "Instances that run");
    this.inFlightBytes = gauge("in.flight.bytes", "Bytes published and not acknowledged yet");
    this.waitingBytes = gauge("waiting.bytes", "Bytes of records that wait to be handled");
    this.published = counter("published", "Records acknowledged");
    this.consumed = counter("consumed", "Records handled");
    this.gaps = counter("gaps", "Times that the node may have missed records that were consumed");
    this.errors = counter("errors", "Errors that handlers threw");
    this.ticks = counter("ticks", "Calls of periodic handlers");
    this.ticksMissed =
        counter("ticks.missed", "Calls of periodic handlers skipped since one took too long");
    fromZero();
  }

  /** There from the start, since whoever watches a rate misses the first of what comes late. */
  private void fromZero() {
    for (Reason reason : Reason.values()) {
      rejections(reason.word());
    }
    rejections(NotPublished.OVER_IN_FLIGHT);
    for (Overflow policy : Overflow.values()) {
      dropped(policy);
    }
  }

  private AtomicLong gauge(String what, String description) {
    AtomicLong value = new AtomicLong();
    io.micrometer.core.instrument.Gauge.builder("galop.verticle." + what, value, AtomicLong::get)
        .description(description)
        .tag(TAG, name)
        .strongReference(true)
        .register(registry);
    return value;
  }

  private Counter counter(String what, String description) {
    return Counter.builder("galop.verticle." + what)
        .description(description)
        .tag(TAG, name)
        .register(registry);
  }

  AtomicLong instances() {
    return instances;
  }

  AtomicLong inFlightBytes() {
    return inFlightBytes;
  }

  AtomicLong waitingBytes() {
    return waitingBytes;
  }

  Counter published() {
    return published;
  }

  /** A record that was not acknowledged; {@code over_in_flight} where the bound refused it. */
  void rejected(String reason) {
    rejections(reason).increment();
  }

  private Counter rejections(String reason) {
    return Counter.builder("galop.verticle.rejected")
        .description("Records that were not acknowledged, by reason")
        .tags(TAG, name, "reason", reason)
        .register(registry);
  }

  Counter consumed() {
    return consumed;
  }

  Counter dropped(Overflow policy) {
    return Counter.builder("galop.verticle.dropped")
        .description("Records that a handler missed since too many waited, by policy")
        .tags(TAG, name, "policy", policy.word())
        .register(registry);
  }

  Counter gaps() {
    return gaps;
  }

  Counter errors() {
    return errors;
  }

  Counter ticks() {
    return ticks;
  }

  Counter ticksMissed() {
    return ticksMissed;
  }
}
