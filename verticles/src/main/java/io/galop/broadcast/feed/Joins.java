package io.galop.broadcast.feed;

import io.galop.broadcast.hub.BroadcastMeters;
import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Joined;
import io.galop.broadcast.hub.RecordReceiver;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.bus.FeedLane;
import io.galop.config.broadcast.ResumeConfig;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers registrations that want a snapshot or what they missed. The answer is posted to the Hub
 * in one order with the records, so that nothing is missing between the two and nothing comes
 * twice. Waits for shards that are not loaded yet. All on the feed loop.
 */
public final class Joins {
  /** So long answers may keep the feed waiting, in nanoseconds. */
  private static final long TURN_NANOS = 2_000_000;

  /** So long a browser waits for the feed to reach what another node has shown it. */
  private static final long CATCH_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LOOK_MS = 20;

  private final Vertx vertx;
  private final Loop loop;
  private final ResumeConfig config;
  private final Ring ring;
  private final ShardFeed[] shards;
  private final FeedView view;
  private final BroadcastMeters meters;
  private final Deque<Join> due = new ArrayDeque<>();
  private final Deque<Join> unloaded = new ArrayDeque<>();

  /**
   * Of browsers that have seen more than this node has; a timer looks at them while there are any.
   */
  private final Deque<Ahead> ahead = new ArrayDeque<>();

  private final OwnerFetches fetches;
  private final AtomicLong waiting;
  private boolean isTurnDue;
  private boolean isLookDue;

  private record Ahead(Join join, long untilNanos) {}

  Joins(
      Vertx vertx,
      FeedLane lane,
      ResumeConfig config,
      Ring ring,
      ShardFeed[] shards,
      BroadcastMeters meters) {
    this.vertx = vertx;
    this.loop = Loop.current(vertx);
    this.config = config;
    this.ring = ring;
    this.shards = shards;
    this.meters = meters;
    this.view = new FeedView(ring, shards);
    this.waiting = meters.number("joins.waiting", "Registrations that wait for their answer");
    AtomicLong held =
        meters.number("joins.held", "Resumes that wait for an owner that does not answer");
    this.fetches =
        new OwnerFetches(
            vertx, lane, config, view, shards.length, held, this::fetched, this::again);
  }

  /**
   * Takes a request; beyond the bound its connection is told to come back later. From any thread.
   */
  public void post(Join join) {
    loop.later(() -> add(join));
  }

  private void add(Join join) {
    if (waiting.get() >= config.maxWaiting()) {
      RecordReceiver receiver = join.registration().receiver();
      join.hub().post(() -> receiver.disconnect(Disconnect.BUSY));
      return;
    }
    waiting.incrementAndGet();
    again(join);
  }

  private void again(Join join) {
    due.add(join);
    turnLater();
  }

  /** Whose browser has gone waits for no shard any more. To be called often. */
  void forgetEnded() {
    loop.check();
    fetches.look();
    int before = unloaded.size();
    if (unloaded.removeIf(join -> join.registration().isEnded())) {
      waiting.addAndGet(unloaded.size() - before);
    }
  }

  /** One more shard is loaded. */
  void loaded() {
    loop.check();
    due.addAll(unloaded);
    unloaded.clear();
    turnLater();
  }

  private void turnLater() {
    if (!isTurnDue && !due.isEmpty()) {
      isTurnDue = true;
      vertx.runOnContext(ignored -> turn());
    }
  }

  private void turn() {
    loop.check();
    isTurnDue = false;
    long end = System.nanoTime() + TURN_NANOS;
    while (!due.isEmpty() && System.nanoTime() < end) {
      answer(due.poll());
    }
    turnLater();
  }

  /** Nobody waits for the answer of one that has ended; it may cost as much as any other. */
  private void answer(Join join) {
    if (join.registration().isEnded()) {
      waiting.decrementAndGet();
      return;
    }
    if (!view.isHere(join.filter())) {
      unloaded.add(join);
    } else if (join.since().isEmpty()) {
      snapshot(join, Optional.empty());
    } else if (join.since().get().isFromNow()) {
      post(join, Optional.of(true), List.of(), ring.next(), Map.of(), false, () -> {});
    } else if (!join.isLate() && ahead.size() < config.maxWaiting() / 2 && isAhead(join)) {
      ahead.add(new Ahead(join, System.nanoTime() + CATCH_UP_NANOS));
      lookLater();
    } else {
      resume(join, join.since().get());
    }
  }

  /** The feed brings what is missing within moments, unless nobody has it any more. */
  private boolean isAhead(Join join) {
    return view.isAhead(join.filter(), join.since().orElseThrow());
  }

  private void lookLater() {
    if (!isLookDue && !ahead.isEmpty()) {
      isLookDue = true;
      vertx.setTimer(LOOK_MS, timer -> look());
    }
  }

  /** Answers those whose wait is over: the feed has come, or does not come. In turn, if many. */
  private void look() {
    loop.check();
    isLookDue = false;
    lookLater();
    long begin = System.nanoTime();
    for (int left = ahead.size(); left > 0 && System.nanoTime() - begin < TURN_NANOS; left--) {
      Ahead one = ahead.remove();
      if (begin - one.untilNanos() >= 0) {
        due.add(one.join().late());
      } else if (one.join().registration().isEnded() || !isAhead(one.join())) {
        due.add(one.join());
      } else {
        ahead.add(one);
      }
    }
    turnLater();
  }

  private void resume(Join join, Since since) {
    if (view.isBeyond(join.filter(), since)) {
      incomplete(join);
      return;
    }
    Map<Integer, Position> places = view.places(join.filter(), since);
    if (join.registration().isConflating()) {
      snapshot(join, Optional.of(true));
    } else if (places.values().stream().allMatch(at -> view.goesOn(join.filter(), at))) {
      fromRing(join, since.positions(), List.of(), () -> {});
    } else if (join.isLost()) {
      incomplete(join);
    } else {
      fetches.add(join, places);
    }
  }

  private void fetched(
      Join join, Map<Integer, Position> reached, List<Entry> entries, Runnable release) {
    loop.check();
    Map<Integer, Position> seen = new HashMap<>(join.since().orElseThrow().positions());
    seen.putAll(reached);
    fromRing(join, seen, entries, release);
  }

  private void fromRing(
      Join join, Map<Integer, Position> seen, List<Entry> entries, Runnable release) {
    long from = ring.next();
    for (int shard : view.touched(join.filter())) {
      Position last = seen.getOrDefault(shard, Position.none(shard));
      from = Math.min(from, ring.firstAfter(shard, last));
    }
    post(join, Optional.of(true), entries, from, seen, false, release);
  }

  private void incomplete(Join join) {
    meters.incomplete(join.registration());
    snapshot(join, Optional.of(false));
  }

  private void snapshot(Join join, Optional<Boolean> complete) {
    List<Entry> entries = new ArrayList<>();
    boolean partial = false;
    for (int shard : view.touched(join.filter())) {
      shards[shard].view().latest().addMatching(join.filter(), entries);
      partial |= shards[shard].view().latest().isPartial(join.filter());
    }
    post(join, complete, entries, ring.next(), Map.of(), partial, () -> {});
  }

  private void post(
      Join join,
      Optional<Boolean> complete,
      List<Entry> entries,
      long from,
      Map<Integer, Position> seen,
      boolean partial,
      Runnable release) {
    waiting.decrementAndGet();
    List<Position> heads =
        Arrays.stream(view.touched(join.filter()))
            .boxed()
            .flatMap(shard -> head(shard, seen).stream())
            .toList();
    Joined joined = new Joined(complete, entries, from, ring.next(), seen, heads, partial, release);
    join.hub().post(() -> join.hub().joined(join.registration(), joined));
  }

  /**
   * From where to resume a shard later. While a shard is loaded anew the node is already where that
   * ends, but what lies between is not in the ring, and a browser is told of the gap only then. So
   * it is told of no Position that it was not shown.
   */
  private Optional<Position> head(int shard, Map<Integer, Position> seen) {
    return shards[shard].view().isAbsorbing()
        ? Optional.ofNullable(seen.get(shard))
        : Optional.of(shards[shard].view().last());
  }
}
