package io.galop.enrich;

import io.galop.bus.Bus;
import io.galop.bus.Refusal;
import io.galop.bus.ShardStream;
import io.galop.cluster.Cluster;
import io.galop.cluster.LocalCluster;
import io.galop.cluster.Member;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.enrich.script.swap.ScriptSteps;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** The stage, deployed twice, with a next stage that notes what it is handed. */
final class EnrichFixture implements AutoCloseable {
  static final int SHARDS = 8;
  private static final int INSTANCES = 2;

  /** A chain that remembers what it has seen of each topic. */
  static final String WINDOW = "enrich: {chain: [{calculate: {field: v, into: w, windowMs: 0}}]}";

  final Vertx vertx = Vertx.vertx();
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final List<Record> stored = Collections.synchronizedList(new ArrayList<>());
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final Map<Integer, ShardStream> streams = new HashMap<>();
  private final Context door = vertx.getOrCreateContext();
  final Readiness readiness = new Readiness();
  final Bus bus;
  final Node node;
  private final ScriptSteps scripts;

  /** Whether the node is the owner of the shards at this stage when a Batch arrives. */
  volatile boolean isOwner = true;

  private final List<String> deployments = new ArrayList<>();

  /** What the next stage answers; by default it takes everything. */
  volatile Function<Batch, Future<Void>> persist = this::store;

  EnrichFixture(String yaml) throws Exception {
    GalopConfig config = ConfigLoader.parse(yaml, "test.yaml");
    Cluster cluster = new ClusterOfOne();
    bus = Bus.open(vertx, cluster, config.cluster());
    for (int shard = 0; shard < SHARDS; shard++) {
      bus.persist().onSend(shard, batch -> persist.apply(batch));
    }
    node = new Node(config, bus, meters, readiness, new Listeners());
    scripts = new ScriptSteps(node);
    for (int i = 0; i < INSTANCES; i++) {
      deployments.add(await(vertx.deployVerticle(new EnrichVerticle(node, scripts, i, INSTANCES))));
    }
  }

  /** A chain of one script, which is written to a file. */
  static String scripted(Path directory, String source) throws IOException {
    Files.writeString(directory.resolve("s.js"), source);
    return """
    enrich:
      directory: '%s'
      chain:
        - script: {file: s.js, maxStatements: 50000}
    """
        .formatted(directory);
  }

  /** A next stage that takes Batches and stores none before it is let. */
  static final class HeldDisk {
    private final Promise<Void> released = Promise.promise();
    private final CountDownLatch reached = new CountDownLatch(1);

    /** Waits until a Batch is there. */
    void awaitReached() throws InterruptedException {
      reached.await();
    }

    void release() {
      released.complete();
    }
  }

  HeldDisk holdDisk() {
    HeldDisk disk = new HeldDisk();
    persist =
        batch -> {
          disk.reached.countDown();
          return disk.released.future().compose(none -> store(batch));
        };
    return disk;
  }

  private final class ClusterOfOne implements Cluster {
    private final Cluster alone = new LocalCluster("n", Set.of(Role.values()), SHARDS);

    @Override
    public Member self() {
      return alone.self();
    }

    @Override
    public List<Member> members() {
      return alone.members();
    }

    @Override
    public int shards() {
      return alone.shards();
    }

    @Override
    public boolean owns(Role role, int shard) {
      return isOwner;
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {}
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

  static Record record(String id, String topic, String data) {
    return new Record(id, topic, 1_000_000L, data.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends records as a door does: those of a shard in the order of the calls. */
  Future<Void> send(Record... records) {
    int shard = Topic.shard(records[0].topic(), SHARDS);
    Promise<Void> taken = Promise.promise();
    door.runOnContext(
        now ->
            streams
                .computeIfAbsent(shard, one -> bus.enrich().open(one, 1, Long.MAX_VALUE))
                .send(List.of(records), DoorStamp.NONE)
                .onComplete(taken));
    return taken.future();
  }

  /** Sends a record in no order with others. */
  Future<Void> sendAlone(Record record) {
    int shard = Topic.shard(record.topic(), SHARDS);
    return bus.enrich().send(Batch.unplaced(shard, List.of(record)));
  }

  /** What is stored, in order: id, topic and data. */
  List<String> shown() {
    synchronized (stored) {
      return stored.stream().map(EnrichFixture::show).toList();
    }
  }

  static String show(Record record) {
    return record.id() + ' ' + record.topic() + ' ' + text(record);
  }

  static String text(Record record) {
    return new String(record.data(), StandardCharsets.UTF_8);
  }

  double count(String meter) {
    return meters.get(meter).counters().stream().mapToDouble(c -> c.count()).sum();
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  static Refusal refusal(Future<?> future) throws Exception {
    try {
      await(future);
    } catch (ExecutionException e) {
      return (Refusal) e.getCause();
    }
    throw new AssertionError("was not refused");
  }

  Future<Void> undeploy() {
    List<Future<Void>> undeployed = deployments.stream().map(vertx::undeploy).toList();
    return Future.join(undeployed).mapEmpty();
  }

  @Override
  public void close() throws Exception {
    scripts.close();
    await(vertx.close());
  }
}
