package io.galop.persist;

import io.galop.bus.Ask;
import io.galop.bus.HandoverLane;
import io.galop.bus.Page;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.function.BooleanSupplier;

/**
 * Learns from another node the last values of a shard's topics, most of which have left the RAM
 * tier long ago. Bounded by {@code persist.latestTopics}.
 */
final class TopicsPull {
  private static final int PAGE_BYTES = 1024 * 1024;
  private final Loop loop;
  private final HandoverLane handover;
  private final String node;
  private final ShardMemory into;
  private final long patienceMs;
  private final BooleanSupplier isWanted;

  /**
   * What the node knows.
   *
   * @param complete whether it has forgotten none
   * @param since it knows of everything that was placed after this
   */
  record Topics(boolean complete, Position since) {}

  TopicsPull(
      Loop loop,
      HandoverLane handover,
      String node,
      ShardMemory into,
      long patienceMs,
      BooleanSupplier isWanted) {
    this.loop = loop;
    this.handover = handover;
    this.node = node;
    this.into = into;
    this.patienceMs = patienceMs;
    this.isWanted = isWanted;
  }

  Future<Topics> run() {
    return page("", true);
  }

  private Future<Topics> page(String next, boolean complete) {
    Position none = Position.none(into.tail().head().shard());
    return loop.within(
            patienceMs,
            "a page of its last values",
            handover.topics(node, new Ask(none.shard(), none, next, PAGE_BYTES)))
        .compose(page -> take(page, complete && page.complete()));
  }

  private Future<Topics> take(Page page, boolean complete) {
    if (!isWanted.getAsBoolean()) {
      return Future.failedFuture("the shard is given away again");
    }
    page.records().forEach(into.latest()::merge);
    return page.next().isEmpty()
        ? Future.succeededFuture(new Topics(complete, page.upTo()))
        : page(page.next(), complete);
  }
}
