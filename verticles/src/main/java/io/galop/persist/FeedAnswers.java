package io.galop.persist;

import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.follow.LatestPage;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.persist.ownership.TailPage;
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
    return LatestPage.of(owner.memory().latest(), ask, complete, upTo);
  }

  /** What came after a Position; also of a shard that this node does not own, or no longer. */
  Future<Page> onFetch(Ask ask) {
    if (owner.state() instanceof TakingOver) {
      return Future.failedFuture(owner.notOwning().orElseThrow());
    }
    try {
      return Future.succeededFuture(
          TailPage.read(owner.memory(), start(ask), owner.readableUpTo(), LatestPage.bytes(ask)));
    } catch (IllegalArgumentException e) {
      return LatestPage.notOurs(ask);
    }
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
