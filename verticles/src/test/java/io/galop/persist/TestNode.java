package io.galop.persist;

import io.galop.bus.Bus;
import io.galop.cluster.Cluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.jvm.Moment;
import io.galop.node.Node;
import io.galop.node.OwnerTap;
import io.galop.node.Readiness;
import io.galop.persist.history.AnswerBudget;
import io.galop.persist.log.HeldDisk;
import io.galop.persist.log.Log;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** A node with the role persist inside the test's JVM. */
final class TestNode {
  final Vertx vertx;
  final Node node;
  final PersistStorage storage;
  final MeterRegistry meters;
  private final String deployment;

  private TestNode(
      Vertx vertx, Node node, PersistStorage storage, MeterRegistry meters, String deployment) {
    this.vertx = vertx;
    this.node = node;
    this.storage = storage;
    this.meters = meters;
    this.deployment = deployment;
  }

  static AnswerBudget answerBudget(Node node) {
    return new AnswerBudget(node.config().persist().history(), node.meters());
  }

  static GalopConfig config(Path directory, String... sets) {
    List<String> all = new ArrayList<>(List.of(sets));
    all.add("node.dataDir=" + directory);
    return ConfigLoader.load(Optional.empty(), Map.of(), all, Map.of());
  }

  static TestNode start(Vertx vertx, Cluster cluster, GalopConfig config) throws Exception {
    return start(vertx, Bus.open(vertx, cluster, config.cluster()), config);
  }

  /** A node that can be asked already, and says that it is starting. */
  static TestNode start(Vertx vertx, Bus bus, GalopConfig config) throws Exception {
    return start(vertx, bus, config, node -> PersistStorage.open(vertx, node));
  }

  /** A node of whose shards somebody hears. */
  static TestNode start(Vertx vertx, Cluster cluster, GalopConfig config, OwnerTap tap)
      throws Exception {
    return start(
        vertx,
        Bus.open(vertx, cluster, config.cluster()),
        config,
        node -> {
          node.owners().listen(tap);
          return PersistStorage.open(vertx, node);
        });
  }

  /** A node whose Log is on a disk that the test has in its hands. */
  static TestNode start(Vertx vertx, Cluster cluster, GalopConfig config, HeldDisk disk)
      throws Exception {
    return start(
        vertx,
        Bus.open(vertx, cluster, config.cluster()),
        config,
        node ->
            vertx.executeBlocking(
                () -> {
                  Path files = PersistStorage.directory(node);
                  Path inLog = files.resolve("log");
                  Log log = disk.open(inLog, node);
                  RetentionGuard retention =
                      RetentionGuard.open(files, inLog, node.readiness(), node.meters());
                  return new PersistStorage(vertx, node, log, retention);
                }));
  }

  /** A node with other clocks for what is deleted by its age. */
  static TestNode start(Vertx vertx, Cluster cluster, GalopConfig config, Supplier<Moment> clocks)
      throws Exception {
    return start(
        vertx,
        Bus.open(vertx, cluster, config.cluster()),
        config,
        node ->
            vertx.executeBlocking(
                () -> {
                  Path files = PersistStorage.directory(node);
                  Path inLog = files.resolve("log");
                  RetentionGuard retention =
                      RetentionGuard.open(files, inLog, node.readiness(), node.meters(), clocks);
                  return new PersistStorage(
                      vertx, node, new HeldDisk().open(inLog, node), retention);
                }));
  }

  private static TestNode start(
      Vertx vertx, Bus bus, GalopConfig config, Function<Node, Future<PersistStorage>> open)
      throws Exception {
    MeterRegistry meters = new SimpleMeterRegistry();
    Node node = new Node(config, bus, meters, new Readiness(), new Listeners());
    PersistStorage storage = await(open.apply(node));
    int loops = 2;
    int[] next = {0};
    String deployment =
        await(
            vertx.deployVerticle(
                () -> new PersistVerticle(node, storage, next[0]++, loops),
                new DeploymentOptions().setInstances(loops)));
    bus.cluster().open();
    return new TestNode(vertx, node, storage, meters, deployment);
  }

  Bus bus() {
    return node.bus();
  }

  Readiness readiness() {
    return node.readiness();
  }

  /** What a gauge of a sink shows. */
  double gauge(String meter, String sink) {
    return meters.get(meter).tag("sink", sink).gauge().value();
  }

  /** An ordered stop. */
  void stop() throws Exception {
    await(vertx.undeploy(deployment));
    await(storage.close());
  }

  void awaitReady() throws Exception {
    until(() -> node.readiness().isReady());
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** As viewers' nodes do: asks again while the owner is not known or not ready. */
  static <T> T ask(Supplier<Future<T>> question) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        return await(question.get());
      } catch (ExecutionException refused) {
        if (System.nanoTime() > deadline || !refused.getMessage().contains(" shard ")) {
          throw refused;
        }
        Thread.sleep(5);
      }
    }
  }

  /** Waits for a condition that other threads bring about. */
  static void until(BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time");
      }
      Thread.sleep(5);
    }
  }

  static Record record(String topic, int number) {
    byte[] data = ("{\"number\":" + number + "}").getBytes(StandardCharsets.UTF_8);
    return new Record(topic + "-" + number, topic, 1_000_000L * number, data);
  }

  /** Records {@code from} up to but not including {@code to} of a topic. */
  static Batch batch(int shard, String topic, int from, int to) {
    List<Record> records = new ArrayList<>();
    for (int i = from; i < to; i++) {
      records.add(record(topic, i));
    }
    return Batch.unplaced(shard, records);
  }
}
