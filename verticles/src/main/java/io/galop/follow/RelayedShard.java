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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A shard as a relay has been sent it, for relays behind: it stands in for the owner. What is
 * pushed here is pushed on as it came, so that a Position is the same everywhere, and what this
 * relay has not heard nobody behind it takes for heard. On the feed loop.
 */
final class RelayedShard {
  /**
   * An owner is heard each second. Who is answered takes that for a sign of life, so that from one
   * relay to the next a feed would go on that has ended.
   */
  private static final long HEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  /** For so long a follower that is ahead may come back; then it has what no owner knows. */
  private static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Who is ahead asks each second: one that did not has been elsewhere. */
  private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final char GENERATION_END = '.';

  /** Since when a follower has been ahead, and when it asked last. */
  private record Ahead(long sinceNanos, long askedNanos) {
    Ahead askedAgain(long nowNanos) {
      boolean wasAway = nowNanos - askedNanos > AWAY_NANOS;
      return new Ahead(wasAway ? nowNanos : sinceNanos, nowNanos);
    }
  }

  private final Position none;
  private final Supplier<ShardMemory> anew;
  private final Followers followers;
  private final LongSupplier nanos;
  private ShardMemory memory;

  /** How often this began anew: a page of the latest records goes on in the same memory only. */
  private int generation;

  /** When the last push came; none of a memory that was loaded since. */
  private OptionalLong heardNanos = OptionalLong.empty();

  /** Who is ahead of what is here, each time that it asks; as many as there are relays behind. */
  private final Map<String, Ahead> ahead = new HashMap<>();

  /** Up to here a last value may have been ahead of the pushes: before, nothing is handed on. */
  private Position loadedUpTo;

  /** Of the latest records, whether these were all topics. */
  private boolean isComplete;

  private boolean isLoaded;

  /**
   * @param anew a memory without anything
   * @param followers of that memory
   * @param nanos as {@link System#nanoTime}
   */
  RelayedShard(
      int shard,
      Supplier<ShardMemory> anew,
      Function<ShardMemory, Followers> followers,
      LongSupplier nanos) {
    this.nanos = nanos;
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
    isLoaded = false; // should this come to no end
    ahead.clear();
    followers.dropAll();
    memory.close();
    memory = anew.get();
    if (!head.isNone()) {
      memory.begin(head.epoch(), none);
      memory.tail().raiseFloor(head);
    }
    latest.forEach(memory.latest()::merge);
    followers.use(memory);
    generation++;
    heardNanos = OptionalLong.empty();
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
    if (from.compareTo(memory.tail().head()) > 0) {
      memory.tail().raiseFloor(from);
    }
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
    heardNanos = OptionalLong.of(nanos.getAsLong());
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

  private boolean isHeard() {
    return heardNanos.isPresent() && nanos.getAsLong() - heardNanos.getAsLong() < HEARD_NANOS;
  }

  /**
   * Takes a follower, from a Position that this relay has heard. One that is ahead for long, while
   * the owner is heard, was told what the owner has lost: it begins anew, behind a gap.
   */
  Future<Followed> onFollow(Follow follow) {
    if (!isWhole() || !isHeard()) {
      ahead.remove(follow.node());
      return notHeard();
    }
    Position since = follow.since();
    Position head = memory.tail().head();
    if (since.isNone() || memory.epochs().normalize(since).orElse(since).compareTo(head) <= 0) {
      ahead.remove(follow.node());
      return followers.onFollow(follow);
    }
    long now = nanos.getAsLong();
    Ahead asked = ahead.getOrDefault(follow.node(), new Ahead(now, now)).askedAgain(now);
    if (now - asked.sinceNanos() < AHEAD_NANOS) {
      ahead.put(follow.node(), asked);
      return notReady("it is at " + head + ", which is before " + since);
    }
    ahead.remove(follow.node());
    return Future.succeededFuture(new Followed(head, false));
  }

  /** The latest record of each topic. */
  Future<Page> onLatest(Ask ask) {
    if (!isWhole() || !isHeard()) {
      return notHeard();
    }
    String prefix = generation + String.valueOf(GENERATION_END);
    if (!ask.next().isEmpty() && !ask.next().startsWith(prefix)) {
      return LatestPage.notOurs(ask);
    }
    String next = ask.next().isEmpty() ? "" : ask.next().substring(prefix.length());
    boolean complete = isComplete && !memory.latest().hasForgotten();
    Ask own = new Ask(ask.shard(), ask.since(), next, ask.maxBytes());
    return LatestPage.of(memory.latest(), own, complete, memory.tail().head())
        .map(page -> page.next().isEmpty() ? page : page.withNext(prefix + page.next()));
  }

  private static <T> Future<T> notHeard() {
    return notReady("it has not loaded the shard, or does not hear its owner");
  }

  private static <T> Future<T> notReady(String why) {
    return Future.failedFuture(
        new Refusal(
            Refusal.Why.NOT_READY, "the relay that feeds this one cannot answer yet: " + why));
  }

  void close() {
    memory.close();
  }
}
