package io.galop.persist;

import io.galop.bus.Ask;
import io.galop.bus.FeedLane;
import io.galop.bus.Page;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads what a node has in memory of a shard, page by page.
 *
 * @param loop where the shard lives
 * @param patienceMs how long the node may take for a page
 * @param isWanted whether what is read may still be kept
 */
record TailPages(Loop loop, FeedLane feed, String node, long patienceMs, BooleanSupplier isWanted) {
  private static final int PAGE_BYTES = 1024 * 1024;

  /**
   * Reads all.
   *
   * @param since after which Position the next page begins; asked before each
   */
  Future<Void> each(Supplier<Position> since, Consumer<Page> taker) {
    return page("", since, taker);
  }

  private Future<Void> page(String next, Supplier<Position> since, Consumer<Page> taker) {
    Position after = since.get();
    return loop.within(
            patienceMs,
            "a page of its tail",
            feed.fetchFrom(node, new Ask(after.shard(), after, next, PAGE_BYTES)))
        .compose(
            page -> {
              if (!isWanted.getAsBoolean()) {
                return Future.failedFuture("the shard is given away again");
              }
              taker.accept(page);
              return page.next().isEmpty()
                  ? Future.succeededFuture()
                  : page(page.next(), since, taker);
            });
  }
}
