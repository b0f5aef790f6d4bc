package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.cluster.Cluster;
import io.galop.cluster.LocalCluster;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pushing to broadcast nodes that are slower than the feed. */
@Timeout(180)
class FollowersTest {
  private static final int SHARD = 1;
  private static final Position NONE = Position.none(SHARD);
  private static final int CREDIT = 65_536;

  @TempDir Path directory;
  private Vertx vertx;
  private TestNode node;
  private TestFollower follower;
  private int next;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    Cluster cluster = new LocalCluster("one", Set.of(Role.values()), 4);
    node =
        TestNode.start(
            vertx,
            cluster,
            TestNode.config(
                directory,
                "node.shards=4",
                "persist.cold.enabled=false",
                "persist.ack=memory",
                "persist.ram.maxBytes=4194304",
                "persist.feed.creditBytes=" + CREDIT,
                // What is not answered here is meant, and never a slow machine.
                "cluster.attemptTimeoutMs=30000"));
    node.awaitReady();
    follower = new TestFollower(vertx, node.bus(), SHARD);
  }

  @AfterEach
  void stop() throws Exception {
    node.stop();
    await(vertx.close());
  }

  /** Some batches of about 3 kB. */
  private void send(int batches) throws Exception {
    List<Future<Void>> sent = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      List<Record> records =
          IntStream.range(next, next + 10)
              .mapToObj(n -> new Record("id-" + n, "t", n, new byte[250]))
              .toList();
      next += 10;
      sent.add(node.bus().persist().send(Batch.unplaced(SHARD, records)));
    }
    for (Future<Void> one : sent) {
      await(one);
    }
  }

  private double inFlight() {
    return node.meters.get("galop.persist.push.in.flight").gauges().stream()
        .mapToDouble(gauge -> gauge.value())
        .sum();
  }

  private List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "id-" + i).toList();
  }

  @Test
  void nothingIsQueuedForANodeThatDoesNotReply() throws Exception {
    Queue<Promise<Void>> replies = new ConcurrentLinkedQueue<>();
    follower.answer =
        push -> {
          Promise<Void> reply = Promise.promise();
          replies.add(reply);
          return reply.future();
        };
    follower.follow(NONE);
    send(300);
    until(() -> inFlight() >= CREDIT);
    assertTrue(inFlight() < CREDIT + 300_000, "one chunk more than the credit at most");
    int seen = follower.seen().size();
    assertTrue(seen < 3000, "not all of it: " + seen);
    follower.answer = push -> Future.succeededFuture();
    replies.forEach(Promise::complete);
    until(() -> follower.seen().size() == 3000);
    assertEquals(numbers(0, 3000), follower.ids());
    until(() -> inFlight() == 0);
    assertEquals(0, follower.refusals());
  }

  @Test
  void aSlowFollowerGetsEverythingInOrderWhileTheFeedGoesOn() throws Exception {
    follower.answer =
        push -> {
          Promise<Void> reply = Promise.promise();
          vertx.setTimer(1 + push.head().offset() % 5, timer -> reply.complete());
          return reply.future();
        };
    follower.follow(NONE);
    for (int i = 0; i < 20; i++) {
      send(20);
    }
    until(() -> follower.seen().size() == 4000);
    List<Long> offsets =
        follower.seen().stream().map(Placed::position).map(Position::offset).toList();
    assertEquals(IntStream.rangeClosed(1, 4000).mapToObj(i -> (long) i).toList(), offsets);
    assertEquals(0, follower.refusals());
  }

  @Test
  void whoFallsOutOfMemoryIsSentAwayAndToldWhatItMissed() throws Exception {
    Promise<Void> never = Promise.promise();
    follower.answer = push -> never.future();
    follower.follow(NONE);
    send(3000);
    follower.answer = push -> Future.succeededFuture();
    never.complete();
    until(() -> follower.refusals() > 0);
    until(
        () ->
            node.meters.get("galop.persist.followers").gauges().stream()
                    .mapToDouble(gauge -> gauge.value())
                    .sum()
                == 0);
    int seen = follower.seen().size();
    assertTrue(seen < 30_000);
    assertFalse(follower.follow(follower.lastSeen()).complete());
    until(() -> follower.lastSeen().offset() == 30_000);
    assertTrue(follower.seen().size() < 30_000);
  }

  @Test
  void aPushThatIsRefusedEndsTheSessionAndTheNextOneGoesOn() throws Exception {
    follower.follow(NONE);
    send(2);
    until(() -> follower.seen().size() == 20);
    follower.answer = push -> Future.failedFuture(new Refusal(Refusal.Why.NOT_CONTINUOUS, "no"));
    send(1);
    until(() -> node.meters.get("galop.persist.followers.dropped").counter().count() == 1);
    follower.answer = push -> Future.succeededFuture();
    send(1);
    assertTrue(follower.follow(new Position(SHARD, follower.lastSeen().epoch(), 20)).complete());
    until(() -> follower.seen().size() == 50);
    assertEquals(numbers(20, 40), follower.ids().subList(30, 50));
  }

  @Test
  void manySmallPushesAreBoundedToo() throws Exception {
    Promise<Void> never = Promise.promise();
    follower.answer = push -> never.future();
    follower.follow(NONE);
    int[] pushes = {0};
    follower.answer =
        push -> {
          pushes[0]++;
          return never.future();
        };
    for (int i = 0; i < 500; i++) {
      await(node.bus().persist().send(TestNode.batch(SHARD, "t", i, i + 1)));
    }
    assertTrue(pushes[0] <= CREDIT / 512 + 1, pushes[0] + " pushes");
    never.complete();
    until(() -> follower.seen().size() == 500);
  }
}
