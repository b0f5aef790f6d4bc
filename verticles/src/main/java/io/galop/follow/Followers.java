package io.galop.follow;

import io.galop.bus.FeedLane;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.persist.ram.Resume;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who follows a shard at this node: broadcast nodes at its owner, relays at a relay that hands it
 * on. Lives on the shard's event loop.
 */
public final class Followers {
  private final Loop loop = Loop.current();
  private final FeedLane feed;
  private final Credits credits;
  private final Counter dropped;
  private final Map<String, Follower> byNode = new LinkedHashMap<>();
  private final RecentStamps stamps = new RecentStamps();

  /** A copy, since a push that fails at once removes its follower in the middle of a walk. */
  private List<Follower> all = List.of();

  private ShardMemory memory;

  /** The newest Position that somebody else has spoken of; at an owner never beyond its own. */
  private Position spoken;

  /**
   * Nobody yet.
   *
   * @param dropped counts who is sent away, to come back with a Position
   * @param memory what is pushed from
   */
  public Followers(FeedLane feed, Credits credits, Counter dropped, ShardMemory memory) {
    this.feed = feed;
    this.credits = credits;
    this.dropped = dropped;
    this.memory = memory;
    this.spoken = memory.tail().head();
  }

  /** The shard's memory is another one from now on. */
  public void use(ShardMemory now) {
    loop.check();
    memory = now;
    spoken = now.tail().head();
  }

  /**
   * Where these records come from, the head is here: who is sent them is told so, since they are
   * not fresh before they are there.
   */
  public void spoke(Position head) {
    loop.check();
    spoken = head;
  }

  private Position head() {
    Position own = memory.tail().head();
    return spoken.compareTo(own) > 0 ? spoken : own;
  }

  /** Takes a follower; what is due goes out after the answer. */
  public Future<Followed> onFollow(Follow follow) {
    loop.check();
    Follower present = byNode.get(follow.node());
    if (present != null && present.session() > follow.session()) {
      return Future.failedFuture(
          new Refusal(Why.BAD_REQUEST, "a newer session of the node follows the shard"));
    }
    if (present != null) {
      remove(present);
    }
    Resume resume = memory.resume(follow.since());
    NodeCredit credit = credits.of(follow.node());
    Follower follower =
        new Follower(
            feed,
            follow.node(),
            follow.session(),
            resume.from(),
            credit,
            memory,
            stamps,
            this::head,
            this::onLost);
    byNode.put(follow.node(), follower);
    all = List.copyOf(byNode.values());
    loop.vertx().runOnContext(answered -> follower.onCredit());
    return Future.succeededFuture(new Followed(resume.from(), resume.complete()));
  }

  private void onLost(Follower follower) {
    loop.check();
    dropped.increment();
    remove(follower);
  }

  private void remove(Follower follower) {
    byNode.remove(follower.node(), follower);
    all = List.copyOf(byNode.values());
    follower.onGone();
  }

  /** A Batch was placed after {@code before}. */
  public void onAppend(Position before, Batch placed, int bytes) {
    loop.check();
    stamps.add(placed, System.currentTimeMillis());
    for (Follower follower : all) {
      follower.onAppend(before, placed, bytes);
    }
  }

  /** A Batch is on disk, and all before it. */
  public void onLogged(Batch placed) {
    loop.check();
    stamps.logged(placed.position(placed.records().size() - 1), System.currentTimeMillis());
  }

  /** When a record was dealt with, if it is one of the last ones. */
  public Optional<RecentStamps.Times> times(Position position) {
    loop.check();
    return stamps.find(position);
  }

  /** Says to each that this node lives, unless what is under way says so. */
  public void signsOfLife() {
    loop.check();
    all.forEach(Follower::signOfLife);
  }

  /** Sends all away, to follow the shard's next owner. */
  public void dropAll() {
    loop.check();
    for (Follower follower : all) {
      follower.leaveBehind(Position.none(follower.sent().shard()));
    }
  }

  /** The ids of their nodes. */
  public Set<String> nodes() {
    loop.check();
    return Set.copyOf(byNode.keySet());
  }

  /** How many there are. */
  public int size() {
    return all.size();
  }

  /** How many records the follower that is furthest behind has not been sent, if that is known. */
  public long lag() {
    Position head = memory.tail().head();
    return all.stream()
        .map(Follower::sent)
        .filter(sent -> sent.epoch() == head.epoch())
        .mapToLong(sent -> head.offset() - sent.offset())
        .max()
        .orElse(0);
  }
}
