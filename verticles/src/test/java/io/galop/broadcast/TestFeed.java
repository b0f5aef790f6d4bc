package io.galop.broadcast;

import io.galop.broadcast.edge.ViewerVerticle;
import io.galop.broadcast.hub.BroadcastMeters;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.ring.Ring;
import io.galop.bus.Bus;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.Lateness;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.record.Topic;
import io.galop.servers.Http1;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A broadcast node with an HTTP port, fed by fake owners. */
public final class TestFeed implements AutoCloseable {
  static final int SHARDS = 4;
  static final int LOOPS = 2;

  final Vertx vertx;
  final Node node;
  final ViewerVerticle viewers;
  final BroadcastVerticle verticle;
  private final Context ownerLoop;
  private final List<FakeOwner> owners = new ArrayList<>();
  final List<LiveEndpoint> endpoints = new ArrayList<>();
  private int port;

  private TestFeed(boolean isNative, List<String> settings) {
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(isNative));
    ownerLoop = vertx.getOrCreateContext();
    // A machine that stands still for a while must not look like an owner that does.
    List<String> patient = new ArrayList<>(List.of("broadcast.staleAfterMs=60000"));
    patient.addAll(settings);
    GalopConfig config = ConfigLoader.load(Optional.empty(), Map.of(), patient, Map.of());
    Bus bus =
        Bus.open(vertx, new LocalCluster("test", Set.of(Role.values()), SHARDS), config.cluster());
    node = new Node(config, bus, new SimpleMeterRegistry(), new Readiness(), new Listeners());
    viewers = new ViewerVerticle(node);
    verticle = new BroadcastVerticle(node, viewers);
  }

  /** The Hub of an event loop by itself, of one shard that nobody feeds. */
  public static Hub hub(Context loop) {
    BroadcastConfig config =
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast();
    return new Hub(
        loop,
        new Ring(config.ring(), 1),
        1,
        new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test")),
        config);
  }

  /** Starts everything with settings {@code key=value}. */
  static TestFeed start(String... settings) throws Exception {
    return start(true, settings);
  }

  /** The same with or without the native transport, which a node uses where there is one. */
  static TestFeed start(boolean isNative, String... settings) throws Exception {
    TestFeed feed = new TestFeed(isNative, List.of(settings));
    feed.startOwners();
    feed.startNode();
    return feed;
  }

  /** Starts a node whose owners are not there yet. */
  static TestFeed withoutOwners(String... settings) throws Exception {
    TestFeed feed = new TestFeed(true, List.of(settings));
    feed.startNode();
    return feed;
  }

  void startOwners() throws Exception {
    onOwners(
        () -> {
          addOwners();
          return null;
        });
  }

  /** The same, and prepares the owner of a topic before any node asks it. */
  void startOwners(String topic, java.util.function.Consumer<FakeOwner> preparing)
      throws Exception {
    onOwners(
        () -> {
          addOwners();
          preparing.accept(owner(topic));
          return null;
        });
  }

  private void addOwners() {
    for (int shard = 0; shard < SHARDS; shard++) {
      owners.add(new FakeOwner(node.bus(), shard));
    }
    vertx.setPeriodic(200, timer -> owners.forEach(FakeOwner::signOfLife));
  }

  /** Starts the owners with records of a topic that were there before any node asked. */
  void publishFromTheStart(String topic, int from, int to) throws Exception {
    onOwners(
        () -> {
          addOwners();
          publish(owner(topic), topic, from, to);
          return null;
        });
  }

  private static void publish(FakeOwner owner, String topic, int from, int to) {
    for (int n = from; n < to; n++) {
      owner.publish(topic, topic + ":" + n, "{\"n\":" + n + "}");
    }
  }

  private void startNode() throws Exception {
    await(vertx.deployVerticle(viewers));
    await(vertx.deployVerticle(verticle));
    for (int loop = 0; loop < LOOPS; loop++) {
      await(vertx.deployVerticle(new Front()));
    }
  }

  /** One event loop's HTTP server; those with the same negative port share a free one. */
  private final class Front extends VerticleBase {
    @Override
    public Future<HttpServer> start() {
      Router router = Router.router(vertx);
      LiveEndpoint endpoint = new LiveEndpoint(vertx, node, verticle.live());
      endpoint.mount(router);
      endpoints.add(endpoint);
      return vertx
          .createHttpServer(Http1.options())
          .requestHandler(router)
          .listen(-1, "127.0.0.1")
          .onSuccess(server -> port = server.actualPort());
    }
  }

  int port() {
    return port;
  }

  /** Runs something where the fake owners live. */
  <T> T onOwners(Callable<T> action) throws Exception {
    io.vertx.core.Promise<T> done = io.vertx.core.Promise.promise();
    ownerLoop.runOnContext(
        ignored -> {
          try {
            done.complete(action.call());
          } catch (Exception e) {
            done.fail(e);
          }
        });
    return await(done.future());
  }

  FakeOwner owner(String topic) {
    return owners.get(Topic.shard(topic, SHARDS));
  }

  /** Publishes {@code {"n":number}} with the id {@code topic:number}. */
  void publish(String topic, int number) throws Exception {
    publish(topic, number, number + 1);
  }

  void publish(String topic, int from, int to) throws Exception {
    onOwner(topic, owner -> publish(owner, topic, from, to));
  }

  void onOwner(String topic, java.util.function.Consumer<FakeOwner> action) throws Exception {
    onOwners(
        () -> {
          action.accept(owner(topic));
          return null;
        });
  }

  void eachOwner(java.util.function.Consumer<FakeOwner> action) throws Exception {
    onOwners(
        () -> {
          owners.forEach(action);
          return null;
        });
  }

  double counted(String name) {
    return node.meters()
        .get("galop.broadcast." + name)
        .meter()
        .measure()
        .iterator()
        .next()
        .getValue();
  }

  /** What a counter has counted for a reason. */
  double counted(String name, String reason) {
    return node.meters().get("galop.broadcast." + name).tag("reason", reason).counter().count();
  }

  void awaitReady() throws Exception {
    LiveClient.await("ready", () -> node.readiness().isReady());
  }

  LiveClient connect() throws Exception {
    return LiveClient.connect(vertx, port);
  }

  public static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** Does something on an event loop, and throws what it throws. */
  public static void onLoop(Context loop, Runnable task) throws Exception {
    Promise<Void> done = Promise.promise();
    loop.runOnContext(
        now -> {
          try {
            task.run();
            done.complete();
          } catch (RuntimeException | AssertionError wrong) {
            done.fail(wrong);
          }
        });
    await(done.future());
  }

  @Override
  public void close() throws Exception {
    for (String id : vertx.deploymentIDs()) {
      await(vertx.undeploy(id));
    }
    await(vertx.close());
  }
}
