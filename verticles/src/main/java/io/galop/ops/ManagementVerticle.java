package io.galop.ops;

import io.galop.config.Listener;
import io.galop.node.Node;
import io.galop.ops.access.Operators;
import io.galop.ops.audit.AuditTrail;
import io.galop.ops.cluster.HearingVerticle;
import io.galop.ops.cluster.ReportVerticle;
import io.galop.socket.HostNames;
import io.galop.socket.RequestHeads;
import io.galop.socket.SmallReads;
import io.galop.vertx.HttpChannels;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;

/** The operators' port: is the node alive, is it ready, what does it count, how does it look. */
public final class ManagementVerticle extends VerticleBase {
  private static final int IDLE_TIMEOUT_SECONDS = 60;
  private static final long WATCH_MS = 1_000;

  private final Node node;
  private final PrometheusMeterRegistry registry;
  private final AuditTrail trail;

  public ManagementVerticle(Node node, PrometheusMeterRegistry registry) {
    this.node = node;
    this.registry = registry;
    this.trail = new AuditTrail(node);
    LatencyMetrics.bind(node, registry);
  }

  @Override
  public Future<?> start() {
    // Where meters are read: some look at the disk, and all of them take many milliseconds.
    WorkerExecutor thread = vertx.createSharedWorkerExecutor("galop-metrics", 1);
    Operators operators = new Operators(node.config());
    Watch watch = new Watch(node, operators);
    vertx.setPeriodic(WATCH_MS, timer -> thread.executeBlocking(watch::look, false));
    Router router = new ManagementRoutes(node, registry, thread, operators, trail).on(vertx);
    return thread
        .executeBlocking(operators::look)
        .compose(read -> vertx.deployVerticle(new ClockVerticle(node)))
        .compose(deployed -> vertx.deployVerticle(new ReportVerticle(node)))
        .compose(deployed -> HearingVerticle.deploy(vertx, node))
        .compose(deployed -> listen(router))
        .onSuccess(open -> trail.listen());
  }

  private Future<?> listen(Router router) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(node.config().management().host())
            .setIdleTimeout(IDLE_TIMEOUT_SECONDS)
            .setHttp2ClearTextEnabled(false);
    Listener listener = Listener.of(node.config(), Listener.MANAGEMENT);
    HostNames hosts = HostNames.of(node.config(), listener);
    return node.listeners()
        .open(
            listener,
            port ->
                vertx
                    .createHttpServer(options.setPort(port))
                    .connectionHandler(ManagementVerticle::onConnection)
                    .requestHandler(new RequestHeads(hosts, router)::handle)
                    .listen()
                    .map(HttpServer::actualPort));
  }

  /** What is told of acts while the node stops is written first. */
  @Override
  public Future<?> stop() {
    return vertx.executeBlocking(
        () -> {
          trail.close();
          return null;
        });
  }

  private static void onConnection(HttpConnection connection) {
    ChannelPipeline pipeline = HttpChannels.of(connection).pipeline();
    HttpChannels.addBeforeRequests(pipeline, "smallReads", new SmallReads());
  }
}
