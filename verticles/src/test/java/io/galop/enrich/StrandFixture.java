package io.galop.enrich;

import io.galop.bus.Bus;
import io.galop.bus.ShardStream;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.Role;
import io.galop.config.enrich.NoopConfig;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.enrich.step.StepTally;
import io.galop.ledger.Border;
import io.galop.ledger.NodeLedger;
import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A shard of a stage with a chain of the test's own, and a next stage that takes notes. */
final class StrandFixture implements AutoCloseable {
  private static final int SHARD = 0;
  private static final int LARGE = 1 << 24;

  final Vertx vertx = Vertx.vertx();
  final List<Record> stored = Collections.synchronizedList(new ArrayList<>());
  private final Set<String> known = Collections.synchronizedSet(new HashSet<>());
  final Context loop = vertx.getOrCreateContext();
  private final Context door = vertx.getOrCreateContext();
  private final Bus bus;
  private final ShardStream stream;
  final ShardPipeline pipeline;

  /** What the next stage answers; by default it takes everything. */
  volatile Function<Batch, Future<Void>> persist = this::store;

  /** Before a next stage of so many shards. */
  StrandFixture(int shards, int maxPendingBytes, Enricher... steps) throws Exception {
    this(new NodeLedger(), shards, maxPendingBytes, steps);
  }

  private StrandFixture(NodeLedger ledger, int shards, int maxPendingBytes, Enricher... steps)
      throws Exception {
    bus =
        Bus.open(
            vertx,
            new LocalCluster("n", Set.of(Role.values()), shards),
            ConfigLoader.parse("", "test.yaml").cluster());
    EnrichMeters meters = new EnrichMeters(new SimpleMeterRegistry());
    SeenIds seen = new SeenIds(LARGE, LARGE, meters);
    Chain chain = chain(steps);
    Outlets outlets = new Outlets(bus.persist(), shards);
    EnrichBook book = new EnrichBook(ledger.open(Border.ENRICH, "", shards, Runnable::run), SHARD);
    pipeline =
        on(
            loop,
            () ->
                Future.succeededFuture(
                    new ShardPipeline(maxPendingBytes, chain, seen, outlets, meters, book)));
    for (int shard = 0; shard < shards; shard++) {
      int owned = shard;
      on(
          vertx.getOrCreateContext(),
          () -> bus.persist().onSend(owned, this::onPersist).completion());
    }
    on(
        loop,
        () ->
            bus.enrich()
                .onSend(SHARD, batch -> pipeline.onBatch(batch.records(), batch.stamp()))
                .completion());
    stream = on(door, () -> Future.succeededFuture(open()));
  }

  /** Steps whose configuration does not matter. */
  static Chain chain(Enricher... steps) {
    return new Chain(
        Stream.of(steps).map(step -> new Chain.Step(new NoopConfig(List.of("#")), step)).toList());
  }

  StrandFixture(int maxPendingBytes, Enricher... steps) throws Exception {
    this(1, maxPendingBytes, steps);
  }

  /** Counted in a ledger of the test's own. */
  StrandFixture(NodeLedger ledger, Enricher... steps) throws Exception {
    this(ledger, 1, LARGE, steps);
  }

  StrandFixture(Enricher... steps) throws Exception {
    this(LARGE, steps);
  }

  private Future<Void> onPersist(Batch batch) {
    return persist.apply(batch);
  }

  /** A way into the stage, for one context. */
  ShardStream open() {
    return bus.enrich().open(SHARD, 1, Long.MAX_VALUE);
  }

  /** Does something on a context and waits for what it answers. */
  static <T> T on(Context context, Supplier<Future<T>> task) throws Exception {
    Promise<T> done = Promise.promise();
    context.runOnContext(now -> task.get().onComplete(done));
    return EnrichFixture.await(done.future());
  }

  /** Succeeds when everything that the shard took has ended. */
  Future<Void> drain() {
    Promise<Void> drained = Promise.promise();
    loop.runOnContext(now -> pipeline.drain().onComplete(drained));
    return drained.future();
  }

  /** Stores each record once, as an owner does. */
  Future<Void> store(Batch batch) {
    for (Record record : batch.records()) {
      if (known.add(record.topic() + " " + record.id())) {
        stored.add(record);
      }
    }
    return Future.succeededFuture();
  }

  /** A record whose data says nothing. */
  static Record record(String id, String topic) {
    return EnrichFixture.record(id, topic, "{}");
  }

  /** Sends records as a door does, in the order of the calls. */
  Future<Void> send(Record... records) {
    Promise<Void> taken = Promise.promise();
    door.runOnContext(now -> stream.send(List.of(records), DoorStamp.NONE).onComplete(taken));
    return taken.future();
  }

  /** Sends records as another door. */
  Future<Void> sendAlone(Record... records) {
    return bus.enrich().send(Batch.unplaced(SHARD, List.of(records)));
  }

  /** Gives records to the shard itself, which says at once what a door would try again. */
  Future<Void> give(Record... records) {
    Promise<Void> taken = Promise.promise();
    loop.runOnContext(now -> pipeline.onBatch(List.of(records), DoorStamp.NONE).onComplete(taken));
    return taken.future();
  }

  /** The ids of what is stored, in order. */
  List<String> ids() {
    synchronized (stored) {
      return stored.stream().map(Record::id).toList();
    }
  }

  @Override
  public void close() throws Exception {
    EnrichFixture.await(vertx.close());
  }

  /** A step that answers when the test lets it. */
  static final class HeldStep implements Enricher {
    private final Scope scope;
    private final BlockingQueue<Held> held = new LinkedBlockingQueue<>();

    record Held(List<Record> records, Promise<List<Record>> answer, Context context) {
      void release() {
        context.runOnContext(now -> answer.complete(records));
      }

      void breakOff() {
        context.runOnContext(now -> answer.fail(new IllegalStateException("the step is broken")));
      }
    }

    HeldStep(String... topics) {
      this.scope = new Scope(List.of(topics));
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
      Promise<List<Record>> answer = Promise.promise();
      held.add(new Held(records, answer, Vertx.currentContext()));
      return answer.future();
    }

    /** The next list that it was given, which waits. */
    Held next() throws InterruptedException {
      Held next = held.poll(60, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing came to the step");
      }
      return next;
    }

    boolean isIdle() {
      return held.isEmpty();
    }
  }
}
