package io.galop.persist;

import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.persist.ownership.TailPage;
import io.galop.persist.ram.Runs;
import io.galop.persist.ram.ShardMemory;
import io.galop.persist.store.Backup;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads page by page what a memory here lacks of a shard, from another node or the backup tier. On
 * the shard's event loop.
 */
final class ShardPull {
  private static final Logger LOG = LoggerFactory.getLogger(ShardPull.class);
  private static final int PAGE_BYTES = 1024 * 1024;

  private final Loop loop;
  private final ShardMemory into;
  private final long timeoutMs;
  private final BooleanSupplier isWanted;

  /**
   * The last values that a node knows.
   *
   * @param complete whether it has forgotten none
   * @param since it knows of everything that was placed after this
   */
  record Topics(boolean complete, Position since) {}

  /**
   * @param timeoutMs how long whoever is asked may take for a page
   * @param isWanted whether what is read may still be kept
   */
  ShardPull(Loop loop, ShardMemory into, long timeoutMs, BooleanSupplier isWanted) {
    this.loop = loop;
    this.into = into;
    this.timeoutMs = timeoutMs;
    this.isWanted = isWanted;
  }

  /** Copies the tail that a node has beyond what is here; it places nothing meanwhile. */
  Future<Void> tail(Function<Ask, Future<Page>> node) {
    boolean[] isAdjacent = {true};
    return each(
            node,
            "a page of its tail",
            () -> into.tail().head(),
            page -> isAdjacent[0] = TailPage.copy(page, isAdjacent[0], into, ShardMemory.nowMs()))
        .mapEmpty();
  }

  /**
   * Learns of what a node has placed beside what is here, in the epoch that ends with a Position:
   * the ids, and the last values that are newer. The records stay in that node's Log and stores.
   */
  Future<Void> beside(Function<Ask, Future<Page>> node, Position last) {
    Position begin = new Position(last.shard(), last.epoch(), 0);
    return each(
            node, "a page of its tail", () -> begin, page -> page.records().forEach(into::merge))
        .mapEmpty();
  }

  /**
   * Learns the last values of a shard's topics, most of which have left the RAM tier long ago.
   * Bounded by {@code persist.latestTopics}.
   */
  Future<Topics> topics(Function<Ask, Future<Page>> node) {
    Position none = Position.none(into.tail().head().shard());
    boolean[] complete = {true};
    return each(
            node,
            "a page of its last values",
            () -> none,
            page -> {
              complete[0] &= page.complete();
              page.records().forEach(into.latest()::merge);
            })
        .map(last -> new Topics(complete[0], last.upTo()));
  }

  /** Asks for page after page; gives the last of them. */
  private Future<Page> each(
      Function<Ask, Future<Page>> source,
      String what,
      Supplier<Position> since,
      Consumer<Page> taker) {
    return page("", source, what, since, taker);
  }

  private Future<Page> page(
      String next,
      Function<Ask, Future<Page>> source,
      String what,
      Supplier<Position> since,
      Consumer<Page> taker) {
    Position after = since.get();
    return loop.within(
            timeoutMs, what, source.apply(new Ask(after.shard(), after, next, PAGE_BYTES)))
        .compose(
            page -> {
              if (!isWanted.getAsBoolean()) {
                return Future.failedFuture("the shard is given away again");
              }
              taker.accept(page);
              return page.next().isEmpty()
                  ? Future.succeededFuture(page)
                  : page(page.next(), source, what, since, taker);
            });
  }

  /**
   * Fills the memory from the backup tier behind what is in it, where the node that had the shard
   * is gone with its Log. The last records of that node may not have reached the backup, so nobody
   * takes it for complete; but snapshots and history have what is there.
   *
   * @param maxBytes about how much of the newest
   * @return the last Position that is known now; that from before if the backup has nothing more or
   *     does not answer
   */
  Future<Position> backup(Backup backup, Position since, long maxBytes) {
    return loop.within(
            timeoutMs, "what the backup tier has", backup.range(since.shard(), since, maxBytes))
        .transform(
            (records, failure) -> Future.succeededFuture(takeIfWanted(since, records, failure)));
  }

  private Position takeIfWanted(Position since, List<Placed> records, Throwable failure) {
    if (!isWanted.getAsBoolean()) {
      return since;
    }
    if (failure != null) {
      LOG.warn(
          "cannot read shard {} from the backup tier: {}", since.shard(), failure.getMessage());
      return since;
    }
    return takeWhatFits(since, records);
  }

  /** A shard without its past is better than one that nobody owns. */
  private Position takeWhatFits(Position since, List<Placed> records) {
    try {
      return take(since, records);
    } catch (RuntimeException e) {
      LOG.warn("cannot take all records of shard {} from the backup tier", since.shard(), e);
      return into.tail().head();
    }
  }

  private Position take(Position since, List<Placed> records) {
    long nowMs = ShardMemory.nowMs();
    Runs.each(records, batch -> take(batch, nowMs));
    if (records.isEmpty()) {
      return since;
    }
    LOG.info("{} records of shard {} came from the backup tier", records.size(), since.shard());
    return records.get(records.size() - 1).position();
  }

  private void take(Batch batch, long nowMs) {
    if (batch.epoch() != into.tail().head().epoch()) {
      into.begin(batch.epoch(), Position.none(batch.shard()));
    }
    into.restore(batch, nowMs);
  }
}
