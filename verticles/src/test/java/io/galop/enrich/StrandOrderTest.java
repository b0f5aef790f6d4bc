package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.bus.Refusal;
import io.galop.bus.ShardStream;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.enrich.step.StepTally;
import io.galop.record.Batch;
import io.galop.record.DerivedId;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Senders that repeat what is refused, steps that answer when they like and break now and then, a
 * next stage that refuses and fails late: every record is stored once, enriched once, and in order
 * for its topic. {@code -Dgalop.seed} repeats the choices of a run, though not its timing.
 */
@Tag("slow")
@Timeout(600)
class StrandOrderTest {
  private static final int ROUNDS = Boolean.getBoolean("galop.long") ? 100 : 5;
  private static final int SENDERS = 3;
  private static final int BATCHES = 60;
  private static final int WINDOW = 6;
  private static final int MOST_RECORDS = 8;
  private static final int MAX_PENDING_BYTES = 3_000;
  private static final List<String> KINDS = List.of("fast", "slow", "late", "both");

  @Test
  void everyRecordIsStoredOnceAndInOrderForItsTopic() throws Exception {
    long seed = Long.getLong("galop.seed", System.nanoTime());
    for (int round = 0; round < ROUNDS; round++) {
      run(seed + round);
    }
  }

  private static void run(long seed) throws Exception {
    RandomStep slow = new RandomStep(new Random(seed), 0.03, "slow/#", "both/#");
    RandomStep late = new RandomStep(new Random(seed + 1), 0, "late/#", "both/#");
    try (StrandFixture shard = new StrandFixture(MAX_PENDING_BYTES, slow, new Counting(), late)) {
      Random disk = new Random(seed + 2);
      shard.persist = batch -> persist(shard, batch, disk);
      List<Sender> senders =
          IntStream.range(0, SENDERS)
              .mapToObj(i -> new Sender(i, new Random(seed + 3 + i)))
              .toList();
      List<Future<Void>> done = senders.stream().map(sender -> sender.start(shard)).toList();
      EnrichFixture.await(Future.all(done));
      Map<String, List<String>> expected = new TreeMap<>();
      senders.forEach(sender -> expected.putAll(sender.expected()));
      Map<String, List<String>> shown = shown(shard);
      assertEquals(expected.keySet(), shown.keySet(), "seed " + seed);
      expected.forEach((topic, all) -> assertEquals(all, shown.get(topic), topic + ", " + seed));
      assertEquals(0, shard.pipeline.unsettledBytes(), "seed " + seed);
      EnrichFixture.await(shard.drain());
      assertEquals(0, shard.pipeline.pendingBytes(), "seed " + seed);
    }
  }

  /** By topic, in the order in which they were stored: the number of each and what counted it. */
  private static Map<String, List<String>> shown(StrandFixture shard) {
    Map<String, List<String>> shown = new TreeMap<>();
    for (Record record : List.copyOf(shard.stored)) {
      JsonObject data = new JsonObject(EnrichFixture.text(record));
      shown
          .computeIfAbsent(record.topic(), topic -> new ArrayList<>())
          .add(data.getInteger("n") + " counted " + data.getInteger("c"));
    }
    return shown;
  }

  private static Future<Void> persist(StrandFixture shard, Batch batch, Random random) {
    int chance = random.nextInt(100);
    if (chance < 12) {
      Refusal.Why why =
          chance < 6
              ? Refusal.Why.OVER_QUOTA
              : chance < 9 ? Refusal.Why.BUSY : Refusal.Why.NOT_READY;
      return Future.failedFuture(new Refusal(why, "by chance"));
    }
    shard.store(batch);
    Future<Void> answered = chance < 50 ? Future.succeededFuture() : pause(shard.vertx, random);
    return chance < 16
        ? answered.compose(
            late -> Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, "late, by chance")))
        : answered;
  }

  private static Future<Void> pause(Vertx vertx, Random random) {
    return vertx.timer(1 + random.nextInt(5)).mapEmpty();
  }

  /** Sends batches of its own topics, several at once, and again what is refused. */
  private static final class Sender {
    private final List<List<Record>> batches = new ArrayList<>();
    private final Deque<Integer> due = new ArrayDeque<>();
    private final TreeSet<Integer> refused = new TreeSet<>();
    private final Map<String, List<Integer>> numbers = new TreeMap<>();
    private final Promise<Void> done = Promise.promise();
    private ShardStream stream;
    private int underWay;

    Sender(int name, Random random) {
      int n = 0;
      for (int batch = 0; batch < BATCHES; batch++) {
        List<Record> records = new ArrayList<>();
        for (int left = 1 + random.nextInt(MOST_RECORDS); left > 0; left--) {
          String kind = KINDS.get(random.nextInt(KINDS.size()));
          String topic = kind + "/" + name + "/" + random.nextInt(2);
          String data = new JsonObject().put("n", ++n).encode();
          numbers.computeIfAbsent(topic, one -> new ArrayList<>()).add(n);
          records.add(EnrichFixture.record("s" + name + "-" + n, topic, data));
        }
        batches.add(records);
        due.add(batch);
      }
    }

    Future<Void> start(StrandFixture shard) {
      shard
          .vertx
          .getOrCreateContext()
          .runOnContext(
              now -> {
                stream = shard.open();
                send();
              });
      return done.future();
    }

    private void send() {
      while (underWay < WINDOW && !due.isEmpty() && refused.isEmpty()) {
        int batch = due.poll();
        underWay++;
        stream
            .send(batches.get(batch), DoorStamp.NONE)
            .onComplete((taken, failure) -> onAnswer(batch, failure));
      }
      if (underWay == 0 && due.isEmpty()) {
        done.tryComplete();
      }
    }

    private void onAnswer(int batch, Throwable failure) {
      underWay--;
      if (failure != null) {
        refused.add(batch);
      }
      if (underWay == 0) {
        refused.descendingIterator().forEachRemaining(due::addFirst);
        refused.clear();
      }
      send();
    }

    /** What has to be stored in the end: "slow" becomes one more record of another topic. */
    Map<String, List<String>> expected() {
      Map<String, List<String>> expected = new TreeMap<>();
      numbers.forEach(
          (topic, all) -> {
            List<String> counted =
                IntStream.range(0, all.size())
                    .mapToObj(i -> all.get(i) + " counted " + (i + 1))
                    .toList();
            expected.put(topic, counted);
            if (topic.startsWith("slow/")) {
              expected.put("copy/" + topic, counted);
            }
          });
      return expected;
    }
  }

  /** Adds how many records of its topic came before. */
  private static final class Counting implements Enricher {
    private final Map<String, Integer> counts = new HashMap<>();

    @Override
    public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
      return Future.succeededFuture(records.stream().map(this::counted).toList());
    }

    private Record counted(Record record) {
      JsonObject data = new JsonObject(EnrichFixture.text(record));
      data.put("c", counts.merge(record.topic(), 1, Integer::sum));
      return EnrichFixture.record(record.id(), record.topic(), data.encode());
    }
  }

  /** Answers at once or later, for each record of "slow" with a copy of another topic too. */
  private static final class RandomStep implements Enricher {
    private final Scope scope;
    private final Random random;
    private final double breaks;

    RandomStep(Random random, double breaks, String... topics) {
      this.scope = new Scope(List.of(topics));
      this.random = random;
      this.breaks = breaks;
    }

    @Override
    public Optional<Scope> lateScope() {
      return Optional.of(scope);
    }

    @Override
    public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
      if (records.stream().noneMatch(record -> scope.covers(record.topic()))) {
        return Future.succeededFuture(records);
      }
      List<Record> enriched = new ArrayList<>();
      records.forEach(record -> add(record, enriched));
      boolean isBroken = random.nextDouble() < breaks;
      if (random.nextInt(4) == 0) {
        return answer(isBroken, enriched);
      }
      return pause(Vertx.currentContext().owner(), random)
          .compose(later -> answer(isBroken, enriched));
    }

    private static Future<List<Record>> answer(boolean isBroken, List<Record> enriched) {
      return isBroken
          ? Future.failedFuture(new Refusal(Refusal.Why.BAD_REQUEST, "broken, by chance"))
          : Future.succeededFuture(enriched);
    }

    private static void add(Record record, List<Record> to) {
      if (!record.topic().startsWith("slow/")) {
        to.add(record);
        return;
      }
      String data = EnrichFixture.text(record);
      to.add(EnrichFixture.record(DerivedId.of(record, 1, record.topic()), record.topic(), data));
      String copy = "copy/" + record.topic();
      to.add(EnrichFixture.record(DerivedId.of(record, 2, copy), copy, data));
    }
  }
}
