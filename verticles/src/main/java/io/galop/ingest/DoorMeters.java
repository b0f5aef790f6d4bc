package io.galop.ingest;

import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** What a door counts. */
final class DoorMeters {
  private final Counter accepted;
  private final Counter acknowledged;
  private final Counter paused;
  private final Map<Reason, Counter> rejected = new EnumMap<>(Reason.class);

  DoorMeters(MeterRegistry registry, String door) {
    this.accepted = registry.counter("galop.ingest.records", "door", door);
    this.acknowledged = registry.counter("galop.ingest.acknowledged", "door", door);
    this.paused = registry.counter("galop.ingest.paused", "door", door);
    for (Reason reason : Reason.values()) {
      rejected.put(
          reason, registry.counter("galop.ingest.rejected", "door", door, "reason", reason.word()));
    }
  }

  /** Records that have gone on to enrichment. */
  void accepted(int records) {
    accepted.increment(records);
  }

  /** Records that are acknowledged. */
  void acknowledged(int records) {
    acknowledged.increment(records);
  }

  void rejected(Rejection rejection) {
    rejected.get(rejection.reason()).increment();
  }

  /** The door has stopped reading, or refused a request, because too much is in flight. */
  void paused() {
    paused.increment();
  }
}
