package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static io.galop.persist.TestNode.batch;
import static io.galop.persist.TestNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.bus.Page;
import io.galop.bus.Sealed;
import io.galop.record.Position;
import io.vertx.core.eventbus.DeliveryContext;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bus loses what it is given now and then: a Seal must not make two nodes own a shard. */
@Tag("slow")
@Timeout(180)
class SealLostTest extends PersistNodesTest {
  private static final int SHARDS = 4;
  private final AtomicInteger lost = new AtomicInteger();
  private TestNode one;
  private int shard;

  SealLostTest() {
    super(SHARDS);
  }

  private void lose(int most, Predicate<DeliveryContext<?>> what) {
    vertx
        .eventBus()
        .addOutboundInterceptor(
            message -> {
              if (lost.get() >= most || !what.test(message)) {
                message.next();
              } else {
                lost.incrementAndGet();
              }
            });
  }

  private Position filled() throws Exception {
    one = join("1", "one", "persist.takeoverTimeoutMs=900");
    one.awaitReady();
    shard = shardOf(view("x", "two"));
    cluster.leave("x");
    await(one.bus().persist().send(batch(shard, "t", 0, 10)));
    return fetch(one, Position.none(shard)).records().get(4).position();
  }

  private void movesWithoutAGap(Position seen) throws Exception {
    TestNode two = join("2", "two", "persist.takeoverTimeoutMs=900");
    two.awaitReady();
    awaitOwner(two, shard);
    await(one.bus().persist().send(batch(shard, "t", 10, 20)));
    Page missed = fetch(one, seen);
    assertEquals(1, lost.get());
    assertTrue(missed.complete());
    assertEquals(numbers(5, 20), ids(missed));
  }

  @Test
  void aSealThatIsLostIsSentAgain() throws Exception {
    Position seen = filled();
    lose(1, message -> message.message().address().equals("galop.1.seal." + shard));
    movesWithoutAGap(seen);
  }

  @Test
  void anAnswerThatIsLostIsGivenAgain() throws Exception {
    Position seen = filled();
    lose(1, message -> message.body() instanceof Sealed sealed && sealed.last().shard() == shard);
    movesWithoutAGap(seen);
  }

  /** It goes on until it hears that another has begun, and gives what it has all the same. */
  @Test
  void whoIsNotHeardStopsAsSoonAsItHears() throws Exception {
    filled();
    String seals = "galop.1.seal." + shard;
    int[] most = {Integer.MAX_VALUE};
    vertx
        .eventBus()
        .addOutboundInterceptor(
            message -> {
              if (most[0] == 0 || !message.message().address().equals(seals)) {
                message.next();
              }
            });
    try (Logged logged = new Logged(Ownership.class)) {
      TestNode two = join("2", "two", "persist.takeoverTimeoutMs=900");
      until(() -> !logged.with("shard " + shard + " was taken by node 2").isEmpty());
      two.awaitReady();
      double before = epochs(two);
      until(() -> hasNothing(one));
      most[0] = 0;
      until(() -> epochs(two) > before && knows(one, "t-9"));
      two.awaitReady();
      assertEquals(1, logged.with("was taken by node").size());
      double after = epochs(two);
      Thread.sleep(1_500);
      assertEquals(after, epochs(two), "it is settled who owns the shard");
    }
  }

  /** The new owner has not heard of the records; each offer of the old one has it begin anew. */
  private boolean hasNothing(TestNode by) {
    try {
      return fetch(by, Position.none(shard)).records().isEmpty();
    } catch (Exception isBeingTakenOver) {
      return false;
    }
  }

  private boolean knows(TestNode by, String id) {
    try {
      return ids(latest(by, shard)).contains(id);
    } catch (Exception isBeingTakenOver) {
      return false;
    }
  }

  private static double epochs(TestNode node) {
    return node.meters.get("galop.persist.epochs").counter().count();
  }
}
