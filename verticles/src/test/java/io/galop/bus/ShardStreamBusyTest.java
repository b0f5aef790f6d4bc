package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.ClusterConfig;
import io.galop.config.ClusterTlsConfig;
import io.galop.config.Role;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a busy receiver has refused goes on behind what it has taken, and nowhere else. */
@Timeout(180)
class ShardStreamBusyTest {
  private static final int SHARD = 0;
  private static final Refusal BUSY = new Refusal(Refusal.Why.BUSY, "not now");
  private final Vertx vertx = Vertx.vertx();
  private final Two cluster = new Two();
  private final ShardLane lane =
      Bus.open(
              vertx,
              cluster,
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
                  30_000,
                  60_000,
                  45,
                  ClusterTlsConfig.none()))
          .persist();

  /** Two members, of which one or the other owns, beside the one that sends. */
  private static final class Two implements Cluster {
    private final Member sender = new Member("0", "sender", Set.of(Role.ENRICH));
    private final Member first = new Member("1", "first", Set.of(Role.PERSIST));
    private final Member second = new Member("2", "second", Set.of(Role.PERSIST));
    private volatile Member owner = first;

    @Override
    public Member self() {
      return sender;
    }

    @Override
    public List<Member> members() {
      return List.of(sender, first, second);
    }

    @Override
    public int shards() {
      return 1;
    }

    @Override
    public Optional<Member> owner(Role role, int shard) {
      return Optional.of(owner);
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {}
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  /** What comes to a member, to be answered by the test. */
  private BlockingQueue<Message<SequencedBatch>> arrivals(Member member) {
    BlockingQueue<Message<SequencedBatch>> arrived = new LinkedBlockingQueue<>();
    String address = Addresses.of(member.id(), Addresses.Lane.PERSIST, SHARD);
    vertx.eventBus().<SequencedBatch>consumer(address).handler(arrived::add).completion().await();
    return arrived;
  }

  private static Message<SequencedBatch> next(BlockingQueue<Message<SequencedBatch>> arrived)
      throws InterruptedException {
    Message<SequencedBatch> next = arrived.poll(60, TimeUnit.SECONDS);
    assertEquals(true, next != null, "nothing comes");
    return next;
  }

  private static String id(Message<SequencedBatch> message) {
    return message.body().batch().records().get(0).id();
  }

  private static void refuse(Message<SequencedBatch> message) {
    message.fail(BUSY.failureCode(), BUSY.getMessage());
  }

  private Future<Void> sendTwo() {
    Promise<Void> taken = Promise.promise();
    vertx.runOnContext(
        now -> {
          ShardStream stream = lane.open(SHARD, 1, Long.MAX_VALUE);
          Future<Void> zero = stream.send(List.of(record("0")), DoorStamp.NONE);
          Future<Void> one = stream.send(List.of(record("1")), DoorStamp.NONE);
          Future.all(zero, one).<Void>mapEmpty().onComplete(taken);
        });
    return taken.future();
  }

  private static Record record(String id) {
    return new Record(id, "a", 1, new byte[] {'{', '}'});
  }

  /** If what was taken fails late, the receiver knows that this came behind it. */
  @Test
  void theStreamGoesOnWithTheNumberThatWasRefused() throws Exception {
    var arrived = arrivals(cluster.first);
    Future<Void> taken = sendTwo();
    Message<SequencedBatch> zero = next(arrived);
    Message<SequencedBatch> one = next(arrived);
    refuse(one);
    Message<SequencedBatch> again = next(arrived);
    assertEquals("1", id(again));
    assertEquals(zero.body().stream(), again.body().stream());
    assertEquals(1, again.body().number());
    zero.reply(null);
    again.reply(null);
    taken.await(60, TimeUnit.SECONDS);
  }

  /** The owner before may not have passed on what it took: the next one needs it, and first. */
  @Test
  void anotherOwnerIsGivenAlsoWhatTheBusyOneTook() throws Exception {
    var before = arrivals(cluster.first);
    var after = arrivals(cluster.second);
    Future<Void> taken = sendTwo();
    next(before);
    Message<SequencedBatch> one = next(before);
    cluster.owner = cluster.second;
    refuse(one);
    for (int number = 0; number < 2; number++) {
      Message<SequencedBatch> again = next(after);
      assertEquals(Integer.toString(number), id(again));
      assertEquals(number, again.body().number());
      again.reply(null);
    }
    taken.await(60, TimeUnit.SECONDS);
  }
}
