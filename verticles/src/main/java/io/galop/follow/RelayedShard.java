package io.galop.follow;

import io.galop.bus.Ask;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A shard as a relay has been sent it, for relays behind: it stands in for the owner. What is
 * pushed here is pushed on as it came, so that a Position is the same everywhere, and what this
 * relay has not heard nobody behind it takes for heard. On the feed loop.
 */
final class RelayedShard {
  private final Position none;
  private final Supplier<ShardMemory> anew;
  private final Followers followers;
  private ShardMemory memory;

  /** Up to here a last value may have been ahead of the pushes: before, nothing is handed on. */
  private Position loadedUpTo;

  /** Of the latest records, whether these were all topics. */
  private boolean isComplete;

  private boolean isLoaded;

  /**
   * @param anew a memory without anything
   * @param followers of that memory
   */
  RelayedShard(int shard, Supplier<ShardMemory> anew, Function<ShardMemory, Followers> followers) {
    this.none = Position.none(shard);
    this.anew = anew;
    this.memory = anew.get();
    this.followers = followers.apply(memory);
    this.loadedUpTo = none;
  }

  Followers followers() {
    return followers;
  }

  /**
   * Begins anew with the latest records: who follows has to load them too, and is told a gap.
   *
   * @param head pushes go on from there
   * @param latest in the order of their Positions; perhaps with some that will be pushed
   * @param complete whether these are of all topics
   */
  void load(Position head, List<Placed> latest, boolean complete) {
    followers.dropAll();
    memory.close();
    memory = anew.get();
    if (!head.isNone()) {
      memory.begin(head.epoch(), none);
      memory.tail().raiseFloor(head);
    }
    latest.forEach(memory.latest()::merge);
    followers.use(memory);
    Position last = latest.isEmpty() ? head : latest.get(latest.size() - 1).position();
    loadedUpTo = last.compareTo(head) > 0 ? last : head;
    isComplete = complete;
    isLoaded = true;
  }

  /** The owner goes on from there, perhaps another than before, and nothing is missing. */
  void goOn(Position from) {
    if (beginsEpoch(from.epoch())) {
      // Their Positions mean the same, but only somebody who follows is told so.
      followers.dropAll();
    }
    memory.tail().raiseFloor(from);
  }

  private boolean beginsEpoch(long epoch) {
    Position head = memory.tail().head();
    boolean isNew = epoch > head.epoch();
    if (isNew) {
      memory.begin(epoch, head);
    }
    return isNew;
  }

  /** Takes what was pushed here, and is taken for the viewers of this relay too. */
  void onPush(Push push) {
    Batch batch = push.batch();
    followers.spoke(push.head());
    if (batch.records().isEmpty()) {
      followers.signsOfLife();
      return;
    }
    beginsEpoch(batch.epoch());
    Position before = memory.tail().head();
    memory.append(batch, ShardMemory.nowMs());
    followers.onAppend(before, batch, batch.approximateBytes());
  }

  /** Whether what is here is what was up to one Position, or something newer. */
  private boolean isWhole() {
    Position head = memory.tail().head();
    return isLoaded && !head.isNone() && head.compareTo(loadedUpTo) >= 0;
  }

  /** Takes a follower, from a Position that this relay has heard. */
  Future<Followed> onFollow(Follow follow) {
    if (!isWhole()) {
      return notReady("it has not loaded the shard");
    }
    Position since = follow.since();
    Position head = memory.tail().head();
    return !since.isNone() && memory.epochs().normalize(since).orElse(since).compareTo(head) > 0
        ? notReady("it is at " + head + ", and you are at " + since)
        : followers.onFollow(follow);
  }

  /** The latest record of each topic. */
  Future<Page> onLatest(Ask ask) {
    return isWhole()
        ? LatestPage.of(
            memory.latest(),
            ask,
            isComplete && !memory.latest().hasForgotten(),
            memory.tail().head())
        : notReady("it has not loaded the shard");
  }

  private static <T> Future<T> notReady(String why) {
    return Future.failedFuture(
        new Refusal(Refusal.Why.NOT_READY, "the relay that dials is not so far: " + why));
  }

  void close() {
    memory.close();
  }
}
