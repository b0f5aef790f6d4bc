package io.galop.broadcast;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** What a broadcast node counts. Safe to call from any thread. */
final class BroadcastMeters {
  private final Counter sent;
  private final Counter dropped;
  private final Counter merged;
  private final Counter conflated;
  private final Counter incomplete;
  private final AtomicInteger connections;
  private final Map<Disconnect, Counter> disconnects = new EnumMap<>(Disconnect.class);
  private final MeterRegistry registry;

  BroadcastMeters(MeterRegistry registry) {
    this.registry = registry;
    this.sent = counter("sent", "Records that left for a browser");
    this.dropped = counter("dropped", "Records written whose connection ended before they left");
    this.merged = counter("merged", "Records written together with the one before them");
    this.conflated = counter("conflated", "Records that gave way to a newer one of their topic");
    this.incomplete = counter("incomplete", "Resumes answered as incomplete, with a snapshot");
    this.connections = registry.gauge("galop.broadcast.connections", new AtomicInteger());
    for (Disconnect why : Disconnect.values()) {
      disconnects.put(why, registry.counter("galop.broadcast.disconnects", "reason", why.reason()));
    }
  }

  private Counter counter(String what, String description) {
    return Counter.builder("galop.broadcast." + what).description(description).register(registry);
  }

  void gauge(String what, String description, Supplier<Number> value) {
    Gauge.builder("galop.broadcast." + what, value).description(description).register(registry);
  }

  /** A way to show a number that other threads may read late. */
  AtomicLong number(String what, String description) {
    AtomicLong number = new AtomicLong();
    gauge(what, description, number::get);
    return number;
  }

  /** Records have left for a browser, or never will. */
  void left(int records, boolean isSent) {
    if (records > 0) {
      (isSent ? sent : dropped).increment(records);
    }
  }

  /** So many records were written together with one before them. */
  void merged(int records) {
    if (records > 0) {
      merged.increment(records);
    }
  }

  void conflated() {
    conflated.increment();
  }

  void incomplete() {
    incomplete.increment();
  }

  void disconnected(Disconnect why) {
    disconnects.get(why).increment();
  }

  AtomicInteger connections() {
    return connections;
  }
}
