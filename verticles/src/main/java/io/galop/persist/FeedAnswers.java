package io.galop.persist;

import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.persist.ownership.TailPage;
import io.galop.persist.ram.LatestTopics;
import io.galop.persist.ram.Resume;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Answers for the latest records and the tail of a shard, page by page; what goes from page to page
 * is with the asker.
 */
final class FeedAnswers {
  private static final int MOST_BYTES = 1024 * 1024;

  private final ShardOwner owner;

  FeedAnswers(ShardOwner owner) {
    this.owner = owner;
  }

  /** The latest record of each topic. */
  Future<Page> onLatest(Ask ask) {
    Optional<Refusal> refusal = owner.notOwning();
    if (refusal.isPresent()) {
      return Future.failedFuture(refusal.get());
    }
    ShardMemory memory = owner.memory();
    return latest(ask, memory.knowsAllTopics(), memory.tail().head());
  }

  /** The same for another node that takes the shard; also of a shard that is not owned here. */
  Future<Page> onTopics(Ask ask) {
    ShardMemory memory = owner.memory();
    return latest(ask, !memory.latest().hasForgotten(), memory.knownSince());
  }

  private Future<Page> latest(Ask ask, boolean complete, Position upTo) {
    try {
      int from = ask.next().isEmpty() ? 0 : Integer.parseUnsignedInt(ask.next());
      LatestTopics.Some some = owner.memory().latest().some(from, bytes(ask));
      String next = some.next() < 0 ? "" : Integer.toString(some.next());
      return Future.succeededFuture(new Page(complete, upTo, next, some.records()));
    } catch (IllegalArgumentException e) {
      return notOurs(ask);
    }
  }

  /** What came after a Position; also of a shard that this node does not own, or no longer. */
  Future<Page> onFetch(Ask ask) {
    if (owner.state() instanceof TakingOver) {
      return Future.failedFuture(owner.notOwning().orElseThrow());
    }
    try {
      return Future.succeededFuture(
          TailPage.read(owner.memory(), start(ask), owner.readableUpTo(), bytes(ask)));
    } catch (IllegalArgumentException e) {
      return notOurs(ask);
    }
  }

  private static Future<Page> notOurs(Ask ask) {
    return Future.failedFuture(
        new Refusal(Why.BAD_REQUEST, "'" + ask.next() + "' is not the 'next' of a page"));
  }

  private static int bytes(Ask ask) {
    return Math.max(1, Math.min(MOST_BYTES, ask.maxBytes()));
  }

  private Resume start(Ask ask) {
    ShardMemory memory = owner.memory();
    if (!ask.next().isEmpty()) {
      Position next = Position.parse(ask.next());
      return memory.holdsAfter(next)
          ? new Resume(next, true)
          : new Resume(memory.tail().floor(), false);
    }
    return TailPage.start(memory, ask.since());
  }
}
