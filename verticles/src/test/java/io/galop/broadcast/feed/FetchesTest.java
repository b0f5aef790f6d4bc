package io.galop.broadcast.feed;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.ring.Entry;
import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;

/** Browsers that come back to a node that has to ask owners, which are fake, for what they miss. */
abstract class FetchesTest {
  /** No question ends by itself in a test. */
  static final String PATIENT = "cluster.attemptTimeoutMs=60000";

  /** So many places are there. */
  static final int AT_ONCE = 8;

  final AtomicLong held = new AtomicLong();
  final AtomicInteger asked = new AtomicInteger();
  final AtomicInteger whole = new AtomicInteger();
  final AtomicInteger lost = new AtomicInteger();
  final AtomicInteger gone = new AtomicInteger();

  /** Nobody looks who waits any more. */
  volatile boolean isBlind;

  ReturningWorld world;
  OwnerFetches fetches;

  @AfterEach
  final void stop() throws Exception {
    world.close();
  }

  static Position at(int shard, long epoch, long offset) {
    return new Position(shard, epoch, offset);
  }

  /** The ring has records 11 to 40 of each shard. */
  final void start(int shards, String... settings) throws Exception {
    world = new ReturningWorld(shards, false, settings);
    world.onLoop(
        () -> {
          for (int shard = 0; shard < shards; shard++) {
            world.load(at(shard, 1, 10));
            world.push(shard, 1, 40, "a");
          }
          begin(world.vertx);
          world.vertx.setPeriodic(100, timer -> look());
        });
  }

  /** With that one's timers. */
  final void begin(Vertx vertx) {
    fetches =
        new OwnerFetches(
            vertx,
            world.bus.feed(),
            world.config.broadcast().resume(),
            world.view,
            world.shards.length,
            held,
            this::whole,
            this::again);
  }

  private void look() {
    if (!isBlind) {
      fetches.look();
    }
  }

  private void whole(
      Join join, Map<Integer, Position> reached, List<Entry> entries, Runnable release) {
    release.run();
    whole.incrementAndGet();
  }

  private void again(Join join) {
    (join.isLost() ? lost : gone).incrementAndGet();
  }

  /** What the owner of a shard answers, on the feed loop. */
  final void owner(int shard, Function<Ask, Future<Page>> answer) throws Exception {
    world.owner(
        shard,
        ask -> {
          asked.incrementAndGet();
          return answer.apply(ask);
        });
  }

  static Future<Page> page(Ask ask) {
    List<Placed> records =
        LongStream.rangeClosed(ask.since().offset() + 1, 40)
            .mapToObj(n -> ReturningWorld.placed(at(ask.shard(), 1, n), "a"))
            .toList();
    return Future.succeededFuture(new Page(true, at(ask.shard(), 1, 40), "", records));
  }

  static Future<Page> refused() {
    return Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, "the shard is moving"));
  }

  /** So many browsers come back that miss something of each of these shards. */
  final List<Join> come(int count, int... shards) throws Exception {
    List<Join> all = new ArrayList<>();
    world.onLoop(
        () -> {
          for (int n = 0; n < count; n++) {
            Map<Integer, Position> places = new HashMap<>();
            for (int shard : shards) {
              places.put(shard, at(shard, 1, 5));
            }
            Join join = world.join("#", places.values().toArray(Position[]::new));
            all.add(join);
            fetches.add(join, places);
          }
        });
    return all;
  }

  final void awaitHeld(int count) throws Exception {
    LiveClient.await(count + " are held", () -> held.get() == count);
  }
}
