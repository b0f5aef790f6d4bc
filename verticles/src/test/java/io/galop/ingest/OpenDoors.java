package io.galop.ingest;

import io.galop.bus.Bus;
import io.galop.cluster.Cluster;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.ingest.http.HttpDoor;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.record.Batch;
import io.galop.record.Record;
import io.galop.servers.Http1;
import io.galop.socket.Listeners;
import io.galop.socket.ServerSockets;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.transport.Transport;
import io.vertx.ext.web.Router;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;

/** A node that only takes records in, with a stand-in for the stage behind it. */
public final class OpenDoors implements AutoCloseable {
  private static final int LOOPS = 2;

  private final ServerSockets sockets = new ServerSockets();
  public final Vertx vertx = Vertx.builder().withTransport(sockets.over(Transport.NIO)).build();
  public final MeterRegistry meters = new SimpleMeterRegistry();
  public final List<Batch> taken = new CopyOnWriteArrayList<>();
  public final Node node;
  private final int httpPort;
  private final String deployment;
  private volatile Function<Batch, Future<Void>> stage = batch -> Future.succeededFuture();

  /** Opens all doors, with {@code key=value} settings over the defaults. */
  public OpenDoors(String... settings) {
    this(shards -> new LocalCluster("n", Set.of(Role.values()), shards), settings);
  }

  /** The same in a cluster that is made for so many shards. */
  public OpenDoors(IntFunction<Cluster> cluster, String... settings) {
    List<String> sets = new ArrayList<>(List.of(settings));
    sets.add("ingest.tcp.port=0");
    sets.add("ingest.mqtt.port=0");
    sets.add("ingest.bridge.port=0");
    GalopConfig config = ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
    Cluster members = cluster.apply(config.node().shards());
    Bus bus = Bus.open(vertx, members, config.cluster());
    node = new Node(config, bus, meters, new Readiness(), new Listeners(sockets));
    for (int shard = 0; shard < members.shards(); shard++) {
      bus.enrich().onSend(shard, this::take);
    }
    AtomicInteger index = new AtomicInteger();
    deployment =
        vertx
            .deployVerticle(
                () -> new IngestVerticle(node, index.getAndIncrement(), LOOPS),
                new DeploymentOptions().setInstances(LOOPS))
            .await();
    Http http = new Http();
    vertx.deployVerticle(http).await();
    httpPort = http.server.actualPort();
  }

  private final class Http extends VerticleBase {
    private HttpServer server;

    @Override
    public Future<?> start() {
      Router router = Router.router(vertx);
      new HttpDoor(vertx, node).mount(router);
      server = vertx.createHttpServer(Http1.options()).requestHandler(router);
      return server.listen(0, "127.0.0.1");
    }
  }

  private Future<Void> take(Batch batch) {
    taken.add(batch);
    return stage.apply(batch);
  }

  /** What the stage behind answers from now on. */
  public void stage(Function<Batch, Future<Void>> answer) {
    stage = answer;
  }

  public String http(String path) {
    return "http://127.0.0.1:" + httpPort + path;
  }

  public int port(String door) {
    String address = node.listeners().open().get(door);
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  public List<Record> records() {
    return taken.stream().flatMap(batch -> batch.records().stream()).toList();
  }

  public Future<Void> undeploy() {
    return vertx.undeploy(deployment);
  }

  public static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not in ten seconds");
      }
      Thread.sleep(2);
    }
  }

  @Override
  public void close() {
    vertx.close().await();
  }

  public static String text(Record record) {
    return new String(record.data(), StandardCharsets.UTF_8);
  }
}
