package io.galop.persist;

import io.galop.bus.Ask;
import io.galop.bus.FeedLane;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Learns of what another node has placed beside this one, in an epoch that came in between: the
 * last values of topics that are newer there, and the ids. The records stay where they are, in that
 * node's Log and stores.
 */
final class TailMerge {
  private static final int PAGE_BYTES = 1024 * 1024;
  private final FeedLane feed;
  private final String node;
  private final ShardMemory into;
  private final long patienceMs;
  private final BooleanSupplier isWanted;

  TailMerge(
      FeedLane feed, String node, ShardMemory into, long patienceMs, BooleanSupplier isWanted) {
    this.feed = feed;
    this.node = node;
    this.into = into;
    this.patienceMs = patienceMs;
    this.isWanted = isWanted;
  }

  /** Reads the epoch that ends with a Position; as much of it as the node has in memory. */
  Future<Void> run(Position last) {
    return page(new Position(last.shard(), last.epoch(), 0), "");
  }

  private Future<Void> page(Position since, String next) {
    return feed.fetchFrom(node, new Ask(since.shard(), since, next, PAGE_BYTES))
        .timeout(patienceMs, TimeUnit.MILLISECONDS)
        .compose(
            page -> {
              if (!isWanted.getAsBoolean()) {
                return Future.failedFuture("the shard is given away again");
              }
              page.records().forEach(into::merge);
              return page.next().isEmpty() ? Future.succeededFuture() : page(since, page.next());
            });
  }
}
