package io.galop.follow;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** How much is under way to each broadcast node from the shards of one event loop. */
public final class Credits {
  private final Map<String, NodeCredit> byNode = new HashMap<>();
  private final AtomicLong inFlight;
  private final int creditBytes;

  /**
   * @param creditBytes how much may be under way to one node
   * @param name of the metric
   * @param loop which event loop this is, for the metric
   */
  public Credits(int creditBytes, MeterRegistry meters, String name, int loop) {
    this.creditBytes = creditBytes;
    this.inFlight = new AtomicLong();
    Gauge.builder(name, inFlight, AtomicLong::get)
        .baseUnit("bytes")
        .description("Bytes pushed to followers of shards and not replied to")
        .tags(Tags.of("loop", Integer.toString(loop)))
        .strongReference(true)
        .register(meters);
  }

  /** The credit of a node; kept while a follower or a reply is outstanding. */
  NodeCredit of(String node) {
    byNode.values().removeIf(NodeCredit::isIdle);
    return byNode.computeIfAbsent(node, id -> new NodeCredit(creditBytes, inFlight));
  }
}
