package io.galop.alarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.config.ConfigLoader;
import io.galop.config.alarm.AlarmsConfig;
import io.galop.node.OwnedShard;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What passes between the loops of shards and that of alarms. */
@Timeout(60)
class AlarmEngineTest {
  private static final int MAX_WAITING = 1_000;

  private final Vertx vertx = Vertx.vertx();
  private final Loop alarms = Loop.of(vertx.getOrCreateContext());
  private final Loop shard = Loop.of(vertx.getOrCreateContext());
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicLong logAge = new AtomicLong();
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final BlockingQueue<List<Record>> written = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private AlarmEngine engine() throws Exception {
    return engine(true);
  }

  /** With its rule, or still without it. */
  private AlarmEngine engine(boolean hasRule) throws Exception {
    AlarmsConfig config = config();
    RuleSet rules = RuleSet.of(hasRule ? config.rules() : List.of());
    return new AlarmEngine(alarms, AlarmRoom.of(config, meters), 1, rules, listener());
  }

  private static AlarmsConfig config() {
    String yaml =
        "alarms:\n  maxWaiting: %d\n  rules: [{name: hot, topics: '#', when: {limit: {field: c,"
            + " above: 80}}}]";
    return ConfigLoader.parse(yaml.formatted(MAX_WAITING), "t").alarms();
  }

  private AlarmEngine.AlarmListener listener() {
    return new AlarmEngine.AlarmListener() {
      @Override
      public void onState(AlarmState state, boolean isNew) {
        told.add(state.id() + " " + state.word().word());
      }

      @Override
      public void onGone(AlarmState state) {}
    };
  }

  private OwnedShard owned(List<Placed> latest, Future<Void> kept) {
    return new OwnedShard() {
      @Override
      public int shard() {
        return 0;
      }

      @Override
      public List<Placed> latest() {
        return latest;
      }

      @Override
      public Future<List<Placed>> latestNow() {
        return shard.call(() -> Future.succeededFuture(latest));
      }

      @Override
      public long logAge() {
        return logAge.get();
      }

      @Override
      public Future<Void> write(List<Record> records) {
        written.add(records);
        return kept;
      }
    };
  }

  private static Record record(String topic, int value, int number) {
    byte[] data = "{\"c\":%d}".formatted(value).getBytes(StandardCharsets.UTF_8);
    return new Record("r" + number, topic, 1_000L * number, data);
  }

  private void onShard(Runnable task) {
    Promise<Void> done = Promise.promise();
    shard.run(
        () -> {
          task.run();
          done.complete();
        });
    done.future().await();
  }

  private void tick(AlarmEngine engine) {
    Promise<Void> done = Promise.promise();
    alarms.later(
        () -> {
          engine.tick();
          done.complete();
        });
    done.future().await();
  }

  @Test
  void theLastValuesOfWhatWasPassedOverAreLookedAt() throws Exception {
    AlarmEngine engine = engine();
    List<Placed> latest = new ArrayList<>();
    onShard(() -> engine.onOwned(owned(latest, Future.succeededFuture())));
    List<Record> many = new ArrayList<>();
    for (int i = 0; i < MAX_WAITING; i++) {
      many.add(record("s/many", 1, i));
    }
    Record last = record("s/last", 90, MAX_WAITING);
    onShard(
        () -> {
          latest.add(new Placed(new Position(0, 1, MAX_WAITING + 1), last));
          engine.onLogged(new Batch(0, 1, 1, many));
          engine.onLogged(new Batch(0, 1, 1, many));
          engine.onLogged(new Batch(0, 1, MAX_WAITING + 1, List.of(last)));
        });
    double skipped = meters.get("galop.alarms.skipped").counter().count();
    assertTrue(skipped > 0, "" + skipped);
    tick(engine);
    assertEquals("hot/s/last unacknowledged", told.poll(30, TimeUnit.SECONDS));
  }

  @Test
  void whatIsRecordedAgainIsNotTold() throws Exception {
    AlarmEngine engine = engine();
    onShard(() -> engine.onOwned(owned(List.of(), Future.succeededFuture())));
    tick(engine);
    onShard(() -> engine.onLogged(new Batch(0, 7, 1, List.of(record("s", 90, 1)))));
    Record raised = written.poll(30, TimeUnit.SECONDS).get(0);
    assertEquals("hot/s unacknowledged", told.poll(30, TimeUnit.SECONDS));
    logAge.incrementAndGet();
    tick(engine);
    tick(engine);
    Record again = written.poll(30, TimeUnit.SECONDS).get(0);
    assertEquals(raised.topic(), again.topic());
    AlarmState state = AlarmRecord.read(raised).orElseThrow();
    assertEquals(state.restated(), AlarmRecord.read(again).orElseThrow());
    assertTrue(written.isEmpty() && told.isEmpty());
  }

  @Test
  void theFirstRulesLookAtAShardThatIsTakenMeanwhile() throws Exception {
    AlarmEngine engine = engine(false);
    RuleSet first = RuleSet.of(config().rules());
    List<Placed> hot = List.of(new Placed(new Position(0, 1, 1), record("s", 90, 1)));
    Promise<Void> done = Promise.promise();
    alarms.later(
        () -> {
          engine.onOwned(owned(hot, Future.succeededFuture()));
          engine.change(first);
          done.complete();
        });
    done.future().await();
    assertEquals("hot/s unacknowledged", told.poll(30, TimeUnit.SECONDS));
  }

  @Test
  void whatIsHandedOverBeforeAChangeOfTheEpochIsLookedAtBefore() throws Exception {
    AlarmEngine engine = engine();
    Placed cold = new Placed(new Position(0, 1, 2), record("s", 1, 2));
    // All on one thread, as a shard's loop may be that of the alarms.
    Promise<Void> done = Promise.promise();
    alarms.later(
        () -> {
          engine.onOwned(owned(List.of(), Future.succeededFuture()));
          engine.onLogged(new Batch(0, 1, 1, List.of(record("s", 90, 1))));
          engine.onLogged(new Batch(0, 1, 2, List.of(record("s", 1, 2))));
          engine.onLost(0);
          engine.onOwned(owned(List.of(cold), Future.succeededFuture()));
          done.complete();
        });
    done.future().await();
    tick(engine);
    tick(engine);
    assertEquals(
        List.of(), List.copyOf(told), "of an alarm whose owner has changed nothing is on disk");
  }

  @Test
  void aChangeOfAnEpochThatIsOverIsNotTriedAgain() throws Exception {
    AlarmEngine engine = engine();
    Refusal other = new Refusal(Refusal.Why.WRONG_EPOCH, "8");
    onShard(() -> engine.onOwned(owned(List.of(), Future.failedFuture(other))));
    onShard(() -> engine.onLogged(new Batch(0, 7, 1, List.of(record("s", 90, 1)))));
    assertEquals("$alarm/hot/s", written.poll(30, TimeUnit.SECONDS).get(0).topic());
    Promise<String> refused = Promise.promise();
    alarms.later(
        () -> {
          Optional<Future<String>> order =
              engine.order("hot/s", new AlarmEvent.Acknowledge("anna", 2_000));
          order.orElseThrow().onComplete((answer, why) -> refused.complete(why.getMessage()));
        });
    assertEquals("shard 0 has changed its owner or its epoch", refused.future().await());
    assertEquals(null, written.poll(300, TimeUnit.MILLISECONDS));
    assertTrue(told.isEmpty());
  }
}
