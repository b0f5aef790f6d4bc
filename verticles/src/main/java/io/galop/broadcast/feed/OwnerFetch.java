package io.galop.broadcast.feed;

import io.galop.broadcast.hub.Budget;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.bus.Ask;
import io.galop.bus.FeedLane;
import io.galop.bus.Page;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.galop.retry.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gets from the owners what a browser missed and the ring no longer has, until the ring goes on
 * from there. Fails when something is missing, or would take more memory than allowed.
 */
final class OwnerFetch {
  private static final int PAGE_BYTES = 256 * 1024;
  private static final int MAX_FAILURES = 10;

  /** An owner that moves is asked again by all nodes and all their browsers: not in step. */
  private static final long FIRST_PAUSE_MS = 150;

  private static final long LONGEST_PAUSE_MS = 600;

  private final Vertx vertx;
  private final FeedLane lane;
  private final Ring ring;
  private final TopicFilter filter;
  private final Map<Integer, Position> reached;
  private final Map<Integer, Position> covered;
  private final Budget budget;
  private final Backoff pauses = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  private final List<Entry> entries = new ArrayList<>();
  private final Promise<List<Entry>> result = Promise.promise();
  private final Set<Integer> ended = new HashSet<>();

  /** The owner went on from where the browser was: until then it may be of an unknown epoch. */
  private final Set<Integer> asked = new HashSet<>();

  private long charged;
  private int failures;

  /**
   * @param behind where the browser is in shards that the ring does not go on from
   * @param others where it is in shards that the ring does go on from, so far: a fetch takes time,
   *     and the ring goes on meanwhile
   * @param covered from where on the ring has all that the filter means
   */
  OwnerFetch(
      Vertx vertx,
      FeedLane lane,
      Ring ring,
      TopicFilter filter,
      Map<Integer, Position> behind,
      Map<Integer, Position> others,
      Map<Integer, Position> covered,
      Budget budget) {
    this.covered = covered;
    this.vertx = vertx;
    this.lane = lane;
    this.ring = ring;
    this.filter = filter;
    this.reached = new HashMap<>(behind);
    this.reached.putAll(others);
    asked.addAll(others.keySet());
    ended.addAll(others.keySet());
    this.budget = budget;
  }

  /** What the filter means of it, each shard in order; to be given back with {@link #release}. */
  Future<List<Entry>> result() {
    return result.future();
  }

  /** Up to where each shard was fetched. */
  Map<Integer, Position> reached() {
    return reached;
  }

  private Position reached(int shard) {
    return reached.getOrDefault(shard, Position.none(shard));
  }

  void start() {
    behind().ifPresentOrElse(shard -> ask(shard, ""), () -> result.complete(entries));
  }

  /** A shard from which the ring does not go on yet; while one is fetched, others may fall back. */
  private Optional<Integer> behind() {
    return reached.keySet().stream().filter(this::isBehind).findFirst();
  }

  private boolean isBehind(int shard) {
    Position goal = ended.contains(shard) ? ring.floor(shard) : ring.middle(shard);
    return !asked.contains(shard)
        || reached(shard).compareTo(goal) < 0
        || reached(shard).compareTo(covered(shard)) < 0;
  }

  private Position covered(int shard) {
    return covered.getOrDefault(shard, Position.none(shard));
  }

  private void ask(int shard, String next) {
    lane.fetch(new Ask(shard, reached(shard), next, PAGE_BYTES))
        .onSuccess(page -> take(shard, page))
        .onFailure(failure -> tryAgain(failure));
  }

  private void tryAgain(Throwable failure) {
    if (++failures == MAX_FAILURES) {
      fail(String.valueOf(failure.getMessage()));
    } else {
      vertx.setTimer(pauses.nextMs(), timer -> start());
    }
  }

  private void take(int shard, Page page) {
    Position before = reached(shard);
    asked.add(shard);
    if (!page.complete()) {
      fail("the owner no longer has what was missed");
    } else if (!page.records().stream().allMatch(this::add)) {
      fail("what was missed takes more memory than allowed");
    } else if (page.upTo().compareTo(before) <= 0 && page.records().isEmpty()) {
      onEnd(shard);
    } else {
      reached.put(shard, page.upTo());
      start();
    }
  }

  /** The owner has no more; that it is behind what it has pushed to the ring passes. */
  private void onEnd(int shard) {
    if (reached(shard).compareTo(ring.floor(shard)) < 0
        || reached(shard).compareTo(covered(shard)) < 0) {
      tryAgain(new IllegalStateException("the owner is behind this node"));
    } else {
      ended.add(shard);
      start();
    }
  }

  private boolean add(Placed placed) {
    if (!filter.matches(placed.record().topic())) {
      return true;
    }
    Entry entry = Entry.of(placed.position(), placed.record());
    if (!budget.take(entry.cost())) {
      return false;
    }
    charged += entry.cost();
    return entries.add(entry);
  }

  private void fail(String why) {
    release();
    result.fail(why);
  }

  void release() {
    budget.giveBack(charged);
    charged = 0;
  }
}
