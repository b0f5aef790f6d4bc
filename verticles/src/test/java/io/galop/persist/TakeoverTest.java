package io.galop.persist;

import static io.galop.persist.TestNode.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.Logged;
import io.galop.bus.Bus;
import io.galop.bus.Sealed;
import io.galop.cluster.Cluster;
import io.galop.config.Role;
import io.galop.persist.ownership.Answer;
import io.galop.persist.ownership.TakeoverPlan;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that had a shard does not give it; whether anything is missing depends on who asks. */
@Timeout(180)
class TakeoverTest extends PersistNodesTest {
  private TestNode one;
  private Bus other;
  private int shard;

  TakeoverTest() {
    super(4);
  }

  @BeforeEach
  void start() throws Exception {
    one = join("1", "one", "persist.takeoverTimeoutMs=3000");
    one.awaitReady();
    Cluster two = cluster.join("2", "two", Role.PERSIST);
    other = Bus.open(vertx, two, config("two").cluster());
    shard = shardOf(two);
  }

  private void takeOver(boolean isWanted) throws Exception {
    Promise<Void> done = Promise.promise();
    vertx.runOnContext(now -> run(isWanted).onComplete(done));
    await(done.future());
  }

  /** Asks, copies what the other says it has, and merges. */
  private Future<Void> run(boolean isWanted) {
    Position none = Position.none(shard);
    Takeover takeover =
        new Takeover(Loop.current(), one.node, one.storage, shard, none, () -> isWanted);
    return takeover
        .ask()
        .compose(
            answers -> {
              Optional<Answer> more =
                  answers.stream().filter(answer -> answer.reply().isPresent()).findFirst();
              Future<Boolean> copied =
                  more.isEmpty() ? Future.succeededFuture(false) : takeover.copy(more.get());
              TakeoverPlan plan = new TakeoverPlan(answers, more, false, false, true);
              return copied.compose(isDone -> takeover.merge(plan));
            })
        .onComplete(done -> takeover.letGo());
  }

  /** An attempt that is given up misses nothing: who has the shard next asks for itself. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTailThatIsNotGivenIsOnlyLostToWhoTakesTheShard(boolean isWanted) throws Exception {
    Sealed sealed = new Sealed(true, new Position(shard, 7, 10));
    await(other.handover().onSeal(shard, seal -> Future.succeededFuture(sealed)).completion());
    try (Logged logged = new Logged(Takeover.class)) {
      takeOver(isWanted);
      int expected = isWanted ? 1 : 0;
      assertEquals(expected, logged.with("the tail of shard " + shard + " is lost").size());
      assertEquals(expected, logged.with("last values of shard " + shard).size());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoDoesNotHandOverIsNamedToWhoTakesTheShardOnly(boolean isWanted) throws Exception {
    try (Logged logged = new Logged(Seals.class)) {
      takeOver(isWanted);
      String named = "node two did not hand over shard " + shard;
      assertEquals(isWanted ? 1 : 0, logged.with(named).size());
    }
  }
}
