package io.galop;

import io.galop.alarm.AlarmVerticle;
import io.galop.broadcast.BroadcastVerticle;
import io.galop.broadcast.MqttVerticle;
import io.galop.config.Role;
import io.galop.enrich.EnrichVerticle;
import io.galop.enrich.script.swap.ScriptSteps;
import io.galop.extend.Verticles;
import io.galop.ingest.IngestVerticle;
import io.galop.link.LinkEnds;
import io.galop.node.FeedTap;
import io.galop.node.Node;
import io.galop.ops.ManagementVerticle;
import io.galop.persist.PersistStorage;
import io.galop.persist.PersistVerticle;
import io.galop.persist.explain.MemoryReport;
import io.galop.persist.history.AnswerCache;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node deploys, in the order of need: who takes a record is started before who sends it, so
 * the doors open last. Stopping goes the other way.
 */
final class Stages {
  private static final Logger LOG = LoggerFactory.getLogger(Stages.class);

  /** As long as verticles wait for a feed; then they learn of it when it is there. */
  private static final long FEED_WAIT_MS = 5_000;

  private final Vertx vertx;
  private final Node node;
  private final Metrics metrics;
  private final LinkEnds links;
  private final int eventLoops;
  private final NodeRoutes routes;
  private Supplier<Future<?>> drain = Future::succeededFuture;
  private Optional<AnswerCache> answers = Optional.empty();
  private Optional<Function<FeedTap, Runnable>> feed = Optional.empty();
  private final Deque<Supplier<Future<?>>> stops = new ArrayDeque<>();

  Stages(Vertx vertx, Node node, Metrics metrics, LinkEnds links) {
    this.links = links;
    this.vertx = vertx;
    this.node = node;
    this.metrics = metrics;
    this.eventLoops = node.config().node().allEventLoops();
    this.routes = new NodeRoutes(node);
  }

  /** Starts all stages of the node's roles; blocks. */
  void start() {
    UnreadLog.watch(vertx, node.readiness());
    telemetry();
    management();
    deploy(1, index -> routes.viewers());
    deploy(1, index -> new AlarmVerticle(node));
    if (node.config().runs(Role.PERSIST)) {
      persist();
    }
    links.verticles(node).forEach(link -> deploy(1, index -> link.get()));
    if (node.config().runs(Role.ENRICH)) {
      enrich();
    }
    if (node.config().runs(Role.BROADCAST)) {
      broadcast();
    }
    if (node.config().runs(Role.INGEST)) {
      routes.door();
    }
    http();
    if (node.config().runs(Role.INGEST)) {
      ingest();
    }
    if (!node.config().verticles().isEmpty()) {
      extend();
    }
  }

  /** Its end sends what waits, and blocks. */
  private void telemetry() {
    Telemetry telemetry = Telemetry.start(node);
    stops.push(
        () ->
            vertx.executeBlocking(
                () -> {
                  telemetry.close();
                  return null;
                }));
  }

  private void management() {
    deploy(1, index -> new ManagementVerticle(node, metrics.registry()));
  }

  private void persist() {
    PersistStorage storage = PersistStorage.open(vertx, node).await();
    stops.push(storage::close);
    answers = Optional.of(storage.answers());
    MemoryReport.share(vertx, node, shard -> storage.memory(shard).tail().slabs());
    deploy(eventLoops, index -> new PersistVerticle(node, storage, index, eventLoops));
    node.bus().cluster().open();
  }

  private void enrich() {
    ScriptSteps scripts = new ScriptSteps(node);
    stops.push(
        () -> {
          scripts.close();
          return Future.succeededFuture();
        });
    deploy(eventLoops, index -> new EnrichVerticle(node, scripts, index, eventLoops));
  }

  private void broadcast() {
    BroadcastVerticle broadcast = new BroadcastVerticle(node, routes.viewers());
    deploy(1, index -> broadcast);
    drain = broadcast::drain;
    feed = Optional.of(tap -> broadcast.feed().taps().add(tap));
    routes.live(broadcast.live());
    if (node.config().broadcast().mqtt().enabled()) {
      deploy(eventLoops, MqttVerticle.each(node, broadcast.live()));
    }
  }

  private void http() {
    routes.history(answers);
    deploy(eventLoops, routes.fronts());
  }

  private void ingest() {
    deploy(eventLoops, index -> new IngestVerticle(node, index, eventLoops));
  }

  /** What consumes is to hear all that the sources after it say, so the feed comes first. */
  private void extend() {
    if (feed.isPresent()) {
      node.readiness().await("feed", FEED_WAIT_MS);
    }
    Verticles verticles = new Verticles(vertx, node, feed);
    stops.push(verticles::stop);
    verticles.start();
  }

  private void deploy(int instances, IntFunction<Deployable> verticle) {
    AtomicInteger next = new AtomicInteger();
    DeploymentOptions options = new DeploymentOptions().setInstances(instances);
    String id = vertx.deployVerticle(() -> verticle.apply(next.getAndIncrement()), options).await();
    stops.push(() -> vertx.undeploy(id));
  }

  /** Sends the clients of this node to others, in the time that is configured for it. */
  Future<?> drain() {
    return drain.get();
  }

  /** Stops all that was started, last first; goes on after a failure. */
  Future<Void> stop() {
    if (stops.isEmpty()) {
      metrics.close();
      return Future.succeededFuture();
    }
    return stops.pop().get().onFailure(Stages::onStopFailed).transform(ended -> stop());
  }

  private static void onStopFailed(Throwable failure) {
    LOG.warn("a part of the node did not stop in order", failure);
  }
}
