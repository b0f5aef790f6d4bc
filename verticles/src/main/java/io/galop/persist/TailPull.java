package io.galop.persist;

import io.galop.bus.Ask;
import io.galop.bus.FeedLane;
import io.galop.bus.Page;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;

/** Copies the tail of a shard from the memory of another node. */
final class TailPull {
  private static final int PAGE_BYTES = 1024 * 1024;

  /** An owner that places faster than it can be copied is sealed before the copy is whole. */
  private static final int MOST_PAGES = 1024;

  private final FeedLane feed;
  private final String node;
  private final ShardMemory into;
  private final long patienceMs;

  /**
   * @param patienceMs how long the node may take for a page
   */
  TailPull(FeedLane feed, String node, ShardMemory into, long patienceMs) {
    this.patienceMs = patienceMs;
    this.feed = feed;
    this.node = node;
    this.into = into;
  }

  /** Copies what the node has beyond what has been copied already. */
  Future<Void> run() {
    return page("", MOST_PAGES);
  }

  private Future<Void> page(String next, int most) {
    Position since = into.tail().head();
    return feed.fetchFrom(node, new Ask(since.shard(), since, next, PAGE_BYTES))
        .timeout(patienceMs, TimeUnit.MILLISECONDS)
        .compose(
            page -> {
              take(page);
              return page.next().isEmpty() || most == 1
                  ? Future.succeededFuture()
                  : page(page.next(), most - 1);
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
