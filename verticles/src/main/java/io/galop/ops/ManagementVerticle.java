package io.galop.ops;

import io.galop.config.Listener;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.galop.socket.HostNames;
import io.galop.socket.RequestHeads;
import io.galop.vertx.Loop;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operators' port: is the node alive, is it ready, what does it count, how does it look. */
public final class ManagementVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ManagementVerticle.class);
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final int IDLE_TIMEOUT_SECONDS = 60;
  private static final int LONGEST_LOOK_MS = 3_000;
  private static final long WATCH_MS = 1_000;

  private final Node node;
  private Loop loop;

  /** Where meters are read: some look at the disk, and all of them take many milliseconds. */
  private WorkerExecutor thread;

  private final SharedReading<String> metrics;
  private final SharedReading<String> status;
  private final SharedReading<String> console;

  public ManagementVerticle(Node node, PrometheusMeterRegistry registry) {
    this.node = node;
    this.metrics = new SharedReading<>(() -> onThread(registry::scrape));
    this.status = new SharedReading<>(() -> onThread(() -> new StatusReport(node).json().encode()));
    this.console =
        new SharedReading<>(
            () -> slowest().compose(viewers -> onThread(() -> new Console(node).page(viewers))));
  }

  private Future<String> onThread(Callable<String> reading) {
    return thread.executeBlocking(reading, false);
  }

  @Override
  public Future<?> start() {
    loop = Loop.current();
    thread = vertx.createSharedWorkerExecutor("galop-metrics", 1);
    Watch watch = new Watch(node);
    vertx.setPeriodic(WATCH_MS, timer -> thread.executeBlocking(watch::look, false));
    Router router = Router.router(vertx);
    new HealthEndpoint(node).mount(router);
    router.get("/status").handler(this::status);
    router.get("/viewers").handler(this::viewers);
    router.get("/metrics").handler(this::metrics);
    router.post("/drain").handler(this::drain);
    router.get("/").handler(this::console);
    new ScriptEndpoint(node).mount(router);
    router.errorHandler(500, this::failed);
    return listen(router);
  }

  private Future<?> listen(Router router) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(node.config().management().host())
            .setIdleTimeout(IDLE_TIMEOUT_SECONDS);
    Listener listener = Listener.of(node.config(), Listener.MANAGEMENT);
    HostNames hosts = HostNames.of(node.config(), listener);
    return node.listeners()
        .open(
            listener,
            port ->
                vertx
                    .createHttpServer(options.setPort(port))
                    .requestHandler(new RequestHeads(hosts, router)::handle)
                    .listen()
                    .map(HttpServer::actualPort));
  }

  private void failed(RoutingContext request) {
    LOG.error(
        "{} {} failed: {}",
        request.request().method(),
        request.request().path(),
        String.valueOf(request.failure()));
    LOG.debug("where it failed", request.failure());
    if (request.response().headWritten()) {
      request.request().connection().close();
    } else {
      json(request, 500, error("this node failed to answer; its log says why"));
    }
  }

  /**
   * Sends browsers to other nodes, for good. A page that an operator has open elsewhere must not be
   * able to ask for it: whatever a browser sends on its own carries an origin.
   */
  private void drain(RoutingContext request) {
    if (request.request().getHeader("Origin") != null) {
      json(request, 403, new JsonObject().put("error", "pages may not drain a node"));
      return;
    }
    node.readiness().drain();
    json(request, 202, new JsonObject().put("draining", true));
  }

  private void status(RoutingContext request) {
    status.get().onSuccess(report -> json(request, 200, report)).onFailure(request::fail);
  }

  private void viewers(RoutingContext request) {
    Optional<Reports.Report> report = node.reports().find("viewers");
    if (report.isEmpty()) {
      json(request, 404, error("this node has no role broadcast, and no viewers"));
      return;
    }
    Map<String, String> parameters = new HashMap<>();
    request.queryParams().forEach(parameters::put);
    try {
      loop.bring(report.get().answer(parameters))
          .onSuccess(answer -> json(request, 200, answer))
          .onFailure(request::fail);
    } catch (IllegalArgumentException wrong) {
      json(request, 400, error(wrong.getMessage()));
    }
  }

  private static JsonObject error(String what) {
    return new JsonObject().put("error", what);
  }

  private void metrics(RoutingContext request) {
    metrics
        .get()
        .onSuccess(text -> request.response().putHeader("Content-Type", PROMETHEUS_TEXT).end(text))
        .onFailure(request::fail);
  }

  private void console(RoutingContext request) {
    console.get().onSuccess(page -> html(request, page)).onFailure(request::fail);
  }

  /** Empty where an event loop does not say: the console is looked at all the more then. */
  private Future<JsonObject> slowest() {
    Future<JsonObject> viewers =
        node.reports()
            .find("viewers")
            .map(report -> report.answer(Map.of("limit", "10")))
            .orElse(Future.succeededFuture(new JsonObject()));
    return loop.within(LONGEST_LOOK_MS, "the report on viewers", viewers)
        .otherwise(new JsonObject());
  }

  private static void html(RoutingContext request, String page) {
    request
        .response()
        .putHeader("Content-Type", "text/html; charset=utf-8")
        .putHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        .end(page);
  }

  private static void json(RoutingContext request, int status, JsonObject body) {
    json(request, status, body.encode());
  }

  private static void json(RoutingContext request, int status, String body) {
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body);
  }
}
