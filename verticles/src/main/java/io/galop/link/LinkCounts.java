package io.galop.link;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/** What has gone over the links of a node since its start. Counted on any thread. */
final class LinkCounts {
  final AtomicLong received = new AtomicLong();
  final AtomicLong sent = new AtomicLong();
  final AtomicLong records = new AtomicLong();
  final AtomicLong leftOut = new AtomicLong();
  final AtomicLong resumed = new AtomicLong();
  final AtomicLong ended = new AtomicLong();
  final AtomicLong revoked = new AtomicLong();

  private final List<IntSupplier> up = new CopyOnWriteArrayList<>();

  /** Of all links of a node: a relay may be dialled, and dial others. */
  LinkCounts(MeterRegistry meters) {
    Gauge.builder("galop.link.up", up, all -> all.stream().mapToInt(IntSupplier::getAsInt).sum())
        .description("Links that are up and heard")
        .strongReference(true)
        .register(meters);
    count(meters, "received", "bytes", "Bytes of frames that came over links", received);
    count(meters, "sent", "bytes", "Bytes of frames that went over links", sent);
    count(meters, "records", "records", "Records that went over links", records);
    count(meters, "left.out", "records", "Records that no viewer of a relay watches", leftOut);
    count(meters, "resumed", "shards", "Shards that went on from a Position over a link", resumed);
    count(meters, "ended", "links", "Links that have ended", ended);
    count(meters, "revoked", "subjects", "Revoked subjects that went over links", revoked);
  }

  /** Counts some links that are up. */
  void onUp(IntSupplier count) {
    up.add(count);
  }

  private static void count(
      MeterRegistry meters, String name, String unit, String what, AtomicLong value) {
    FunctionCounter.builder("galop.link." + name, value, AtomicLong::get)
        .baseUnit(unit)
        .description(what)
        .register(meters);
  }
}
