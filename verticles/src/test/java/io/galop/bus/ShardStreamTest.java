package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cluster.LocalCluster;
import io.galop.config.ClusterConfig;
import io.galop.config.ClusterTlsConfig;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.galop.record.TraceContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many Batches under way, and none before its turn. */
@Tag("slow")
@Timeout(180)
class ShardStreamTest {
  private static final int SHARD = 0;
  private static final long ATTEMPT_TIMEOUT_MS = 60_000;

  /** For a receiver that forgets; who does not would be sent what it has a second time. */
  private static final long SHORT_ATTEMPT_MS = 150;

  private static final long DEADLINE_MS = 20_000;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  private ShardLane lane(long deadlineMs) {
    return lane(deadlineMs, ATTEMPT_TIMEOUT_MS);
  }

  private ShardLane lane(long deadlineMs, long attemptTimeoutMs) {
    ClusterConfig config =
        new ClusterConfig(
            List.of(),
            "test",
            "",
            "",
            1 << 26,
            "127.0.0.1",
            0,
            0,
            6,
            attemptTimeoutMs,
            deadlineMs,
            45,
            ClusterTlsConfig.none());
    LocalCluster cluster = new LocalCluster("one", Set.of(Role.values()), 2);
    return Bus.open(vertx, cluster, config).persist();
  }

  private <T> T onLoop(Callable<T> call) {
    Promise<T> done = Promise.promise();
    loop.runOnContext(
        now -> {
          try {
            done.complete(call.call());
          } catch (Exception e) {
            done.fail(e);
          }
        });
    return done.future().await();
  }

  private static List<Record> records(int number) {
    return List.of(new Record(Integer.toString(number), "a", number, new byte[] {'{', '}'}));
  }

  private void receive(ShardLane lane, Function<Batch, Future<Void>> handler) {
    onLoop(() -> lane.onSend(SHARD, handler).completion()).await();
  }

  /** Sends without waiting for any answer. */
  private List<Future<Void>> send(ShardLane lane, int count) {
    return onLoop(
        () -> {
          ShardStream stream = lane.open(SHARD, 1, Long.MAX_VALUE);
          List<Future<Void>> sent = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            sent.add(stream.send(records(i), DoorStamp.NONE));
          }
          return sent;
        });
  }

  @Test
  void whatFollowsGoesBeforeWhatPrecedesIsAcknowledged() throws Exception {
    ShardLane lane = lane(DEADLINE_MS);
    BlockingQueue<Promise<Void>> taken = new ArrayBlockingQueue<>(10);
    receive(
        lane,
        batch -> {
          Promise<Void> disk = Promise.promise();
          taken.add(disk);
          return disk.future();
        });
    List<Future<Void>> sent = send(lane, 3);
    List<Promise<Void>> disk = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      disk.add(taken.poll(60, TimeUnit.SECONDS));
      assertTrue(disk.get(i) != null, "Batch " + i + " waits for the acknowledgement of another");
    }
    assertTrue(sent.stream().noneMatch(Future::isComplete));
    disk.forEach(Promise::complete);
    Future.all(sent).await(60, TimeUnit.SECONDS);
  }

  /** Several records that wait together. */
  private static final class Gathered extends ShardStream.Part {
    Gathered(String door, @Nullable DoorStamp traced) {
      super(new DoorStamp("node", door, 1));
      add(records(0).get(0), null);
      add(records(1).get(0), traced);
      add(records(2).get(0), null);
    }

    @Override
    protected void onAnswer(@Nullable Throwable failure) {}
  }

  /** Who traces a record wants to see that one; a second trace gives way to the first. */
  @Test
  void aRecordOfATraceIsNotLostAmongOthers() throws Exception {
    ShardLane lane = lane(DEADLINE_MS);
    BlockingQueue<Batch> taken = new ArrayBlockingQueue<>(10);
    receive(
        lane,
        batch -> {
          taken.add(batch);
          return Future.succeededFuture();
        });
    DoorStamp first = new DoorStamp("node", "http", 2, new TraceContext(1, 2, 3, 1));
    DoorStamp second = new DoorStamp("node", "http", 3, new TraceContext(4, 5, 6, 1));
    for (int time = 0; time < 20; time++) {
      onLoop(
          () -> {
            ShardStream stream = lane.open(SHARD, 1_000, Long.MAX_VALUE);
            stream.gather(new Gathered("a", null));
            stream.gather(new Gathered("b", first));
            stream.gather(new Gathered("c", null));
            stream.gather(new Gathered("d", second));
            stream.sendWaiting();
            return true;
          });
      Batch batch = taken.poll(60, TimeUnit.SECONDS);
      assertEquals(12, batch.records().size());
      assertEquals(first, batch.stamp());
    }
  }

  @Test
  void withoutATraceAnyRecordMayStandForAll() {
    DoorStamp one = new DoorStamp("node", "a", 1);
    DoorStamp other = new DoorStamp("node", "b", 2);
    Set<String> doors = new HashSet<>();
    for (int time = 0; time < 10_000; time++) {
      doors.add(one.or(other, 1, 2).door());
      assertEquals(other, one.or(other, 2, 2));
      assertEquals(one, one.or(other, 0, 2));
    }
    assertEquals(Set.of("a", "b"), doors);
  }

  /** A receiver that refuses, fails late and forgets, but knows what it has by its id. */
  private static final class Capricious implements Function<Batch, Future<Void>> {
    private final Vertx vertx;
    private final Random random;
    private final Set<String> known = new HashSet<>();
    final Queue<Integer> order = new ConcurrentLinkedQueue<>();

    Capricious(Vertx vertx, long seed) {
      this.vertx = vertx;
      this.random = new Random(seed);
    }

    @Override
    public Future<Void> apply(Batch batch) {
      int mood = random.nextInt(40);
      if (mood == 0) {
        return Future.failedFuture(new Refusal(Refusal.Why.BUSY, "not now"));
      }
      if (mood == 1 && batch.epoch() != 7) {
        return Future.failedFuture(new Refusal(Refusal.Why.WRONG_EPOCH, "7"));
      }
      for (Record record : batch.records()) {
        if (known.add(record.id())) {
          order.add(Integer.valueOf(record.id()));
        }
      }
      Promise<Void> answer = Promise.promise();
      if (mood == 2) {
        vertx.setTimer(5, late -> answer.fail(new Refusal(Refusal.Why.NOT_READY, "after all")));
      } else if (mood != 3) {
        vertx.setTimer(1 + random.nextInt(5), disk -> answer.complete());
      }
      return answer.future();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void nothingIsTakenBeforeItsTurnWhateverGoesWrong(long seed) throws Exception {
    ShardLane lane = lane(DEADLINE_MS, SHORT_ATTEMPT_MS);
    Capricious receiver = new Capricious(vertx, seed);
    receive(lane, receiver);
    int count = 400;
    Future.all(send(lane, count)).await(40, TimeUnit.SECONDS);
    List<Integer> order = List.copyOf(receiver.order);
    assertEquals(count, order.size());
    for (int i = 0; i < count; i++) {
      assertEquals(i, order.get(i), "place " + i);
    }
  }

  @Test
  void whatCannotBeTakenTakesAlongWhatIsBehindIt() {
    ShardLane lane = lane(DEADLINE_MS);
    Queue<String> taken = new ConcurrentLinkedQueue<>();
    receive(
        lane,
        batch -> {
          String id = batch.records().get(0).id();
          if (id.equals("1")) {
            return Future.failedFuture(new Refusal(Refusal.Why.BAD_REQUEST, "no"));
          }
          taken.add(id);
          return Future.succeededFuture();
        });
    List<Future<Void>> sent = send(lane, 4);
    sent.get(0).await();
    assertEquals(Refusal.Why.BAD_REQUEST, why(sent.get(1)));
    assertEquals(Refusal.Why.NOT_READY, why(sent.get(2)));
    assertEquals(Refusal.Why.NOT_READY, why(sent.get(3)));
    assertEquals(List.of("0"), List.copyOf(taken));
  }

  @Test
  void theDeadlineEndsTheAttempts() {
    ShardLane lane = lane(1_000);
    receive(lane, batch -> Future.failedFuture(new Refusal(Refusal.Why.BUSY, "never")));
    List<Future<Void>> sent = send(lane, 2);
    assertEquals(Refusal.Why.DEADLINE, why(sent.get(0)));
    assertEquals(Refusal.Why.NOT_READY, why(sent.get(1)));
  }

  /** A window that is full lets what comes wait, and joins it up to the size of a Batch. */
  @Test
  void whatHasNoRoomWaitsAndIsJoined() throws Exception {
    ShardLane lane = lane(DEADLINE_MS);
    Promise<Void> disk = Promise.promise();
    BlockingQueue<Promise<Void>> large = new ArrayBlockingQueue<>(100);
    BlockingQueue<String> small = new ArrayBlockingQueue<>(10);
    receive(
        lane,
        batch -> {
          List<String> ids = batch.records().stream().map(Record::id).toList();
          if (ids.contains("large")) {
            large.add(disk);
            return disk.future();
          }
          small.add(ids + (disk.future().isComplete() ? "" : " too early"));
          return Future.succeededFuture();
        });
    byte[] megabyte = new byte[1024 * 1024];
    List<Future<Void>> sent =
        onLoop(
            () -> {
              ShardStream stream = lane.open(SHARD, 2, Long.MAX_VALUE);
              List<Future<Void>> all = new ArrayList<>();
              all.add(stream.send(List.of(new Record("large", "a", 0, megabyte)), DoorStamp.NONE));
              for (int i = 0; i < 3; i++) {
                all.add(stream.send(records(i), DoorStamp.NONE));
              }
              return all;
            });
    large.poll(60, TimeUnit.SECONDS).complete();
    assertEquals("[0, 1]", small.poll(60, TimeUnit.SECONDS));
    assertEquals("[2]", small.poll(60, TimeUnit.SECONDS));
    Future.all(sent).await(60, TimeUnit.SECONDS);
  }

  private static Refusal.Why why(Future<Void> sent) {
    return assertThrows(Refusal.class, sent::await).why();
  }
}
