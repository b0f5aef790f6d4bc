package io.galop.ingest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.AtomicLong;

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
    Tags tags = Tags.of("source", source);
    registry.gauge("galop.ingest.poll.topics", tags, topics);
    registry.gauge("galop.ingest.poll.asking", tags, asking);
    registry.gauge("galop.ingest.poll.age.seconds", tags, this, PollMeters::ageSeconds);
  }

  private static Counter request(MeterRegistry registry, String source, String outcome) {
    return registry.counter("galop.ingest.poll.requests", "source", source, "outcome", outcome);
  }

  private static Counter item(MeterRegistry registry, String source, String outcome) {
    return registry.counter("galop.ingest.poll.items", "source", source, "outcome", outcome);
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
