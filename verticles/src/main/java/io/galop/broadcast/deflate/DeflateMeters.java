package io.galop.broadcast.deflate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What compression does, counted once for all who share it. Safe to call from any thread. */
public final class DeflateMeters {
  private final Counter frames;
  private final Counter before;
  private final Counter after;
  private final Counter late;

  /** The event loops of a node count in the same meters. */
  public DeflateMeters(MeterRegistry registry) {
    frames =
        counter(registry, "compressed", "Frames compressed, once for all connections that share");
    before = counter(registry, "compressed.before", "Bytes of compressed frames before that");
    after = counter(registry, "compressed.after", "Bytes of compressed frames after that");
    late =
        counter(
            registry,
            "compressed.not",
            "Frames not compressed since that had had its share of the event loop's time");
  }

  private static Counter counter(MeterRegistry registry, String name, String description) {
    return Counter.builder("galop.broadcast." + name).description(description).register(registry);
  }

  void compressed(int bytesBefore, int bytesAfter) {
    frames.increment();
    before.increment(bytesBefore);
    after.increment(bytesAfter);
  }

  void late() {
    late.increment();
  }
}
