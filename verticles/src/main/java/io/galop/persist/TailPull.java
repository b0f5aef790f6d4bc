package io.galop.persist;

import io.galop.bus.Ask;
import io.galop.bus.FeedLane;
import io.galop.bus.Page;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Copies the tail of a shard from the memory of another node behind what is in a memory here. */
final class TailPull {
  private static final int PAGE_BYTES = 1024 * 1024;

  private final FeedLane feed;
  private final String node;
  private final ShardMemory into;
  private final long patienceMs;
  private final BooleanSupplier isWanted;

  /**
   * @param patienceMs how long the node may take for a page
   * @param isWanted whether the memory may still be written to
   */
  TailPull(
      FeedLane feed, String node, ShardMemory into, long patienceMs, BooleanSupplier isWanted) {
    this.patienceMs = patienceMs;
    this.isWanted = isWanted;
    this.feed = feed;
    this.node = node;
    this.into = into;
  }

  /** Copies what the node has beyond what is here; the node places nothing meanwhile. */
  Future<Void> run() {
    return page("");
  }

  private Future<Void> page(String next) {
    Position since = into.tail().head();
    return feed.fetchFrom(node, new Ask(since.shard(), since, next, PAGE_BYTES))
        .timeout(patienceMs, TimeUnit.MILLISECONDS)
        .compose(
            page -> {
              if (!isWanted.getAsBoolean()) {
                return Future.failedFuture("the shard is given away again");
              }
              take(page);
              return page.next().isEmpty() ? Future.succeededFuture() : page(page.next());
            });
  }

  private void take(Page page) {
    long nowMs = System.currentTimeMillis();
    boolean[] complete = {page.complete()};
    Runs.each(
        page.records(),
        batch -> {
          beginEpoch(batch, complete[0]);
          into.restore(batch, nowMs);
          complete[0] = true;
        });
    Position head = into.tail().head();
    if (page.upTo().epoch() > head.epoch()) {
      into.begin(page.upTo().epoch(), page.complete() ? head : Position.none(head.shard()));
    }
    if (page.upTo().compareTo(into.tail().head()) > 0) {
      into.tail().raiseFloor(page.upTo());
    }
  }

  private void beginEpoch(Batch batch, boolean complete) {
    Position head = into.tail().head();
    if (batch.epoch() != head.epoch()) {
      into.begin(batch.epoch(), complete ? head : Position.none(head.shard()));
    }
  }
}
