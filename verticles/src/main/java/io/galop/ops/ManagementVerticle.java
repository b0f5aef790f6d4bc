package io.galop.ops;

import io.galop.bus.Node;
import io.galop.bus.Reports;
import io.galop.config.ManagementConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The operators' port: is the node alive, is it ready, what does it count, how does it look. */
public final class ManagementVerticle extends VerticleBase {
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final int IDLE_TIMEOUT_SECONDS = 60;

  private final Node node;
  private final PrometheusMeterRegistry registry;

  /** Where meters are read: some look at the disk, and all of them take many milliseconds. */
  private WorkerExecutor thread;

  private Scrape scrape;

  public ManagementVerticle(Node node, PrometheusMeterRegistry registry) {
    this.node = node;
    this.registry = registry;
  }

  @Override
  public Future<?> start() {
    thread = vertx.createSharedWorkerExecutor("galop-metrics", 1);
    scrape = new Scrape(thread, registry);
    Router router = Router.router(vertx);
    router.get("/health/live").handler(this::live);
    router.get("/health/ready").handler(this::ready);
    router.get("/status").handler(this::status);
    router.get("/viewers").handler(this::viewers);
    router.get("/metrics").handler(this::metrics);
    router.post("/drain").handler(this::drain);
    router.get("/").handler(this::console);
    new ScriptEndpoint(node).mount(router);
    return listen(router);
  }

  private Future<?> listen(Router router) {
    ManagementConfig config = node.config().management();
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(config.host())
            .setPort(config.port())
            .setIdleTimeout(IDLE_TIMEOUT_SECONDS);
    return vertx
        .createHttpServer(options)
        .requestHandler(router)
        .listen()
        .onSuccess(open -> node.listeners().opened("management", config.host(), open.actualPort()));
  }

  /** Answers as long as an event loop does: a process that cannot is to be restarted. */
  private void live(RoutingContext request) {
    json(request, 200, new JsonObject().put("live", true));
  }

  private void ready(RoutingContext request) {
    boolean ready = node.readiness().isReady();
    JsonObject reasons = new JsonObject();
    node.readiness().reasons().forEach(reasons::put);
    JsonObject warnings = new JsonObject();
    node.readiness().warnings().forEach(warnings::put);
    JsonObject body =
        new JsonObject().put("ready", ready).put("reasons", reasons).put("warnings", warnings);
    json(request, ready ? 200 : 503, body);
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
    thread
        .executeBlocking(() -> new StatusReport(node).json(), false)
        .onSuccess(report -> json(request, 200, report))
        .onFailure(request::fail);
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
      report
          .get()
          .answer(parameters)
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
    scrape
        .text()
        .onSuccess(text -> request.response().putHeader("Content-Type", PROMETHEUS_TEXT).end(text))
        .onFailure(request::fail);
  }

  private void console(RoutingContext request) {
    node.reports()
        .find("viewers")
        .map(report -> report.answer(Map.of("limit", "10")))
        .orElse(Future.succeededFuture(new JsonObject()))
        .onComplete(answer -> console(request, answer.otherwise(new JsonObject()).result()));
  }

  private void console(RoutingContext request, JsonObject viewers) {
    thread
        .executeBlocking(() -> new Console(node).page(viewers), false)
        .onSuccess(page -> html(request, page))
        .onFailure(request::fail);
  }

  private static void html(RoutingContext request, String page) {
    request
        .response()
        .putHeader("Content-Type", "text/html; charset=utf-8")
        .putHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        .end(page);
  }

  private static void json(RoutingContext request, int status, JsonObject body) {
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.encode());
  }
}
