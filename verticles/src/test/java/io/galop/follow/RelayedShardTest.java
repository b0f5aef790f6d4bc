package io.galop.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Bus;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.Role;
import io.galop.persist.ram.RamTier;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shard that a relay was sent, as another relay behind it follows it. */
@Timeout(60)
class RelayedShardTest {
  private static final int SHARD = 1;
  private static final Position NONE = Position.none(SHARD);

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  /** What was pushed to the relay behind; on the loop. */
  private final List<Push> pushed = new ArrayList<>();

  private volatile long nowNanos;
  private Bus bus;
  private RelayedShard shard;

  @BeforeEach
  void start() throws Exception {
    var config = ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of());
    bus = Bus.open(vertx, new LocalCluster("relay", Set.of(Role.BROADCAST), 4), config.cluster());
    RamTier tier = new RamTier(1 << 20, 4);
    call(
        () -> {
          shard =
              new RelayedShard(
                  SHARD,
                  () -> new ShardMemory(tier, SHARD, 1, 100, 1 << 20),
                  memory ->
                      new Followers(
                          bus.feed(),
                          new Credits(1 << 20, meters, "credit", 0),
                          Counter.builder("dropped").register(meters),
                          memory),
                  () -> nowNanos);
          return bus.feed()
              .onPush(
                  push -> {
                    pushed.add(push);
                    return Future.succeededFuture();
                  })
              .completion();
        });
  }

  @AfterEach
  void stop() throws Exception {
    call(
        () -> {
          shard.close();
          return Future.succeededFuture();
        });
    vertx.close().await(30, TimeUnit.SECONDS);
  }

  private <T> T call(Supplier<Future<T>> task) throws Exception {
    Promise<T> done = Promise.promise();
    loop.runOnContext(
        now -> {
          try {
            task.get().onComplete(done);
          } catch (RuntimeException | AssertionError e) {
            done.fail(e);
          }
        });
    return done.future().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private void run(Runnable task) throws Exception {
    call(
        () -> {
          task.run();
          return Future.succeededFuture();
        });
  }

  private static Position at(long epoch, long offset) {
    return new Position(SHARD, epoch, offset);
  }

  private static Record record(long epoch, long offset) {
    return new Record("r" + epoch + "-" + offset, "t/" + offset % 3, offset, new byte[] {'1'});
  }

  private static Placed placed(long epoch, long offset) {
    return new Placed(at(epoch, offset), record(epoch, offset));
  }

  /** Records of an epoch from an offset on, behind what is after them. */
  private static Push push(Position after, long epoch, long first, int records, Position head) {
    List<Record> all = IntStream.range(0, records).mapToObj(n -> record(epoch, first + n)).toList();
    return new Push(7, after, head, new Batch(SHARD, epoch, first, all));
  }

  private void load(Position head, Placed... latest) throws Exception {
    run(() -> shard.load(head, List.of(latest), true));
    hear(head);
  }

  /** The owner lives, and says no more. */
  private void hear(Position last) throws Exception {
    run(() -> shard.onPush(push(last, last.epoch(), last.offset(), 0, last)));
  }

  private void take(Position after, long epoch, long first, int records) throws Exception {
    Position end = records == 0 ? after : at(epoch, first + records - 1);
    run(() -> shard.onPush(push(after, epoch, first, records, end)));
  }

  private Followed follow(long session, Position since) throws Exception {
    return call(() -> shard.onFollow(new Follow(bus.cluster().self().id(), session, since)));
  }

  private Refusal refused(long session, Position since) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> follow(session, since));
    return (Refusal) failed.getCause();
  }

  /** The Positions of all records that were pushed in a session. */
  private List<Position> got(long session) throws Exception {
    return call(
        () ->
            Future.succeededFuture(
                pushed.stream()
                    .filter(push -> push.session() == session)
                    .flatMap(
                        push ->
                            IntStream.range(0, push.batch().records().size())
                                .mapToObj(push.batch()::position))
                    .toList()));
  }

  private void awaitGot(long session, Position... all) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (got(session).size() < all.length && System.nanoTime() < deadline) {
      Thread.sleep(5);
    }
    assertEquals(List.of(all), got(session));
  }

  private List<Push> signs(long session) throws Exception {
    return call(
        () ->
            Future.succeededFuture(
                pushed.stream()
                    .filter(one -> one.session() == session && one.batch().records().isEmpty())
                    .toList()));
  }

  @Test
  void sendsOnWhatItIsSent() throws Exception {
    load(at(5, 2), placed(5, 1), placed(5, 2));
    take(at(5, 2), 5, 3, 2);
    assertEquals(new Followed(at(5, 2), true), follow(1, at(5, 2)));
    awaitGot(1, at(5, 3), at(5, 4));
    take(at(5, 4), 5, 5, 1);
    awaitGot(1, at(5, 3), at(5, 4), at(5, 5));
    assertEquals(new Followed(at(5, 2), false), follow(2, at(5, 1)), "that was never here");
  }

  @Test
  void answersNothingBeforeItsLoadIsWhole() throws Exception {
    assertEquals(Refusal.Why.NOT_READY, refused(1, NONE).why());
    load(at(5, 2), placed(5, 1), placed(5, 4));
    assertEquals(Refusal.Why.NOT_READY, refused(2, NONE).why(), "5-3 is not here, and 5-4 is");
    ExecutionException failed =
        assertThrows(
            ExecutionException.class, () -> call(() -> shard.onLatest(new Ask(1, NONE, "", 999))));
    assertEquals(Refusal.Why.NOT_READY, ((Refusal) failed.getCause()).why());
    take(at(5, 2), 5, 3, 2);
    assertTrue(follow(3, at(5, 4)).complete());
    Page page = call(() -> shard.onLatest(new Ask(SHARD, NONE, "", 9_999)));
    assertEquals(at(5, 4), page.upTo());
    assertTrue(page.complete());
    assertEquals(
        Set.of(at(5, 3), at(5, 4)),
        Set.copyOf(page.records().stream().map(Placed::position).toList()),
        "5-4 has the topic of 5-1");
  }

  /** An answer counts as a sign of life. */
  @Test
  void answersNothingWhileItDoesNotHearTheOwner() throws Exception {
    load(at(5, 2), placed(5, 2));
    assertTrue(follow(1, at(5, 2)).complete());
    nowNanos += TimeUnit.SECONDS.toNanos(2);
    assertEquals(Refusal.Why.NOT_READY, refused(2, at(5, 2)).why());
    assertThrows(ExecutionException.class, () -> page(""));
    run(() -> shard.goOn(at(5, 2)));
    assertEquals(Refusal.Why.NOT_READY, refused(3, at(5, 2)).why(), "that was an answer, too");
    hear(at(5, 2));
    assertTrue(follow(4, at(5, 2)).complete());
    run(() -> shard.load(at(5, 2), List.of(), true));
    assertEquals(Refusal.Why.NOT_READY, refused(5, at(5, 2)).why(), "nothing since the load");
  }

  private Page page(String next) throws Exception {
    return call(() -> shard.onLatest(new Ask(SHARD, NONE, next, 1)));
  }

  @Test
  void aPageGoesOnInTheSameMemoryOnly() throws Exception {
    load(at(5, 3), placed(5, 1), placed(5, 2), placed(5, 3));
    Page first = page("");
    assertEquals(1, first.records().size());
    assertEquals(at(5, 2), page(first.next()).records().get(0).position());
    load(at(5, 3), placed(5, 3), placed(5, 2));
    ExecutionException failed = assertThrows(ExecutionException.class, () -> page(first.next()));
    assertEquals(Refusal.Why.BAD_REQUEST, ((Refusal) failed.getCause()).why());
    assertThrows(ExecutionException.class, () -> page("2.4294967295"), "no slot");
  }

  /** It has what the owner lost with its disk, and no other knows. */
  @Test
  void whoIsAheadForLongBeginsAnew() throws Exception {
    load(at(5, 2));
    assertEquals(Refusal.Why.NOT_READY, refused(0, at(9, 3)).why());
    nowNanos += TimeUnit.SECONDS.toNanos(11);
    hear(at(5, 2));
    assertEquals(Refusal.Why.NOT_READY, refused(1, at(9, 3)).why(), "it has been elsewhere");
    for (int second = 1; second < 10; second++) {
      nowNanos += TimeUnit.SECONDS.toNanos(1);
      hear(at(5, 2));
      assertEquals(Refusal.Why.NOT_READY, refused(1 + second, at(9, 3)).why());
    }
    nowNanos += TimeUnit.SECONDS.toNanos(1);
    hear(at(5, 2));
    assertEquals(new Followed(at(5, 2), false), follow(11, at(9, 3)));
    assertEquals(Refusal.Why.NOT_READY, refused(12, at(9, 3)).why(), "and from then on again");
  }

  @Test
  void timeInWhichTheOwnerIsNotHeardCountsForNobodyAhead() throws Exception {
    load(at(5, 2));
    refused(1, at(9, 3));
    for (int second = 0; second < 12; second++) {
      nowNanos += TimeUnit.SECONDS.toNanos(2);
      assertTrue(refused(2 + second, at(9, 3)).getMessage().contains("does not hear"));
    }
    hear(at(5, 2));
    assertTrue(refused(20, at(9, 3)).getMessage().contains("it is at"));
  }

  /** The owner says so each time that this relay follows it anew. */
  @Test
  void goingOnFromBeforeKeepsWhatIsHere() throws Exception {
    load(at(5, 2));
    take(at(5, 2), 5, 3, 3);
    run(() -> shard.goOn(at(5, 5)));
    assertEquals(new Followed(at(5, 3), true), follow(1, at(5, 3)));
    awaitGot(1, at(5, 4), at(5, 5));
  }

  /** Going back would show old values as new ones. */
  @Test
  void whoIsAheadComesBack() throws Exception {
    load(at(5, 2));
    assertTrue(refused(1, at(5, 3)).getMessage().contains("it is at "), "of the same epoch");
    assertEquals(Refusal.Why.NOT_READY, refused(2, at(6, 0)).why());
    take(at(5, 2), 5, 3, 1);
    assertEquals(new Followed(at(5, 3), true), follow(3, at(5, 3)));
  }

  @Test
  void anotherEpochFollowsOnTheOneBefore() throws Exception {
    load(at(5, 2));
    follow(1, at(5, 2));
    take(at(5, 2), 5, 3, 1);
    awaitGot(1, at(5, 3));
    run(() -> shard.goOn(at(6, 0)));
    assertEquals(new Followed(at(6, 0), true), follow(2, at(5, 3)));
    take(at(6, 0), 6, 1, 2);
    awaitGot(2, at(6, 1), at(6, 2));
    // Its records came at once, without a word before.
    take(at(6, 2), 8, 1, 1);
    awaitGot(2, at(6, 1), at(6, 2), at(8, 1));
    // What another relay was shown of an epoch, and was not kept, ends where it ends here.
    assertEquals(new Followed(at(6, 0), true), follow(3, at(5, 9)));
    awaitGot(3, at(6, 1), at(6, 2), at(8, 1));
  }

  @Test
  void signsOfLifeAreThoseThatItHears() throws Exception {
    load(at(5, 2));
    follow(1, at(5, 2));
    assertEquals(List.of(), signs(1), "nothing is said before something more is heard");
    run(() -> shard.onPush(push(at(5, 2), 5, 2, 0, at(5, 9))));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (signs(1).isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(5);
    }
    Push sign = signs(1).get(0);
    assertEquals(at(5, 2), sign.after());
    assertEquals(at(5, 9), sign.head(), "the owner has more than this relay");
  }

  @Test
  void aGapHereIsOneThere() throws Exception {
    load(at(5, 2));
    follow(1, at(5, 2));
    load(at(5, 9), placed(5, 8), placed(5, 9));
    assertEquals(0, shard.followers().size(), "it has to come back");
    assertFalse(follow(2, at(5, 2)).complete());
    assertTrue(follow(3, at(5, 9)).complete());
    load(at(4, 1), placed(4, 1)); // an owner that lost its disk, and begins smaller epochs
    take(at(4, 1), 4, 2, 1);
    assertTrue(follow(4, at(4, 1)).complete());
    awaitGot(4, at(4, 2));
  }

  @Test
  void aShardWithoutRecordsIsFollowedFromItsEpochOn() throws Exception {
    load(NONE);
    assertEquals(Refusal.Why.NOT_READY, refused(1, NONE).why(), "what comes first has no after");
    run(() -> shard.goOn(at(3, 0)));
    assertEquals(new Followed(at(3, 0), true), follow(2, NONE));
    take(at(3, 0), 3, 1, 1);
    awaitGot(2, at(3, 1));
    assertEquals(new Followed(at(3, 1), true), follow(3, NONE), "from the head on");
  }
}
