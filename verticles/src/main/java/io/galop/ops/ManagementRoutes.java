package io.galop.ops;

import io.galop.node.Node;
import io.galop.ops.access.AccessGate;
import io.galop.ops.access.Operators;
import io.galop.ops.audit.ActHandler;
import io.galop.ops.audit.AuditTrail;
import io.galop.ops.audit.RefusedActs;
import io.galop.ops.console.ConsoleFeed;
import io.galop.ops.console.ConsoleFiles;
import io.galop.socket.Hangup;
import io.galop.vertx.Loop;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the management port answers, behind its gate. Who may ask for what stands in {@link
 * io.galop.ops.access.RouteAccess}: a route that is not there is not reached.
 */
final class ManagementRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(ManagementRoutes.class);
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final Node node;
  private final WorkerExecutor thread;
  private final Operators operators;
  private final AuditTrail trail;
  private final Loop loop;
  private final SharedReading<String> metrics;
  private final SharedReading<String> status;
  private final ConsoleFeed feed;

  /**
   * Called on the event loop of the port.
   *
   * @param thread where meters are read
   */
  ManagementRoutes(
      Node node,
      PrometheusMeterRegistry registry,
      WorkerExecutor thread,
      Operators operators,
      AuditTrail trail) {
    this.node = node;
    this.thread = thread;
    this.operators = operators;
    this.trail = trail;
    this.loop = Loop.current();
    this.metrics = new SharedReading<>(() -> onThread(registry::scrape));
    this.status = new SharedReading<>(() -> onThread(() -> new StatusReport(node).json().encode()));
    this.feed =
        new ConsoleFeed(
            () -> thread.executeBlocking(() -> new StatusReport(node).json(), false),
            operators.areGiven(),
            node.meters());
  }

  private Future<String> onThread(Callable<String> reading) {
    return thread.executeBlocking(reading, false);
  }

  /** A router with all of them. */
  Router on(Vertx vertx) {
    Router router = Router.router(vertx);
    router
        .route()
        .handler(
            new AccessGate(
                operators,
                node.config().management().tls().isGiven(),
                node.meters(),
                new RefusedActs(trail, loop)));
    new HealthEndpoint(vertx, node, loop).mount(router);
    router.get("/status").handler(this::status);
    router.get("/metrics").handler(this::metrics);
    router
        .post("/drain")
        .handler(new ActHandler(trail, loop, request -> Map.of(), request -> drain()));
    ConsoleFiles.mount(router);
    feed.mount(router, vertx);
    new LookEndpoints(vertx, node, loop).mount(router);
    new ActEndpoints(vertx, node, operators, trail, loop).mount(router);
    router.errorHandler(
        404, request -> refuse(request, 404, "unknown_path", "there is no such path"));
    router.errorHandler(
        405, request -> refuse(request, 405, "wrong_method", "this path has another method"));
    router.errorHandler(
        413, request -> refuse(request, 413, "too_large", "the body is larger than is read here"));
    router.errorHandler(500, this::failed);
    return router;
  }

  private void failed(RoutingContext request) {
    if (Hangup.ended(request.request(), request.failure())) {
      return;
    }
    LOG.error(
        "{} {} failed: {}",
        request.request().method(),
        request.request().path(),
        String.valueOf(request.failure()));
    LOG.debug("where it failed", request.failure());
    if (request.response().headWritten()) {
      request.request().connection().close();
    } else {
      refuse(request, 500, "failed", "this node failed to answer; its log says why");
    }
  }

  /** Sends browsers to other nodes, for good. */
  private Future<ActHandler.Answer> drain() {
    node.readiness().drain();
    return Future.succeededFuture(
        new ActHandler.Answer(202, new JsonObject().put("draining", true)));
  }

  private void status(RoutingContext request) {
    status.get().onSuccess(report -> json(request, 200, report)).onFailure(request::fail);
  }

  private static void refuse(RoutingContext request, int status, String reason, String why) {
    json(request, status, new JsonObject().put("error", why).put("reason", reason).encode());
  }

  private void metrics(RoutingContext request) {
    metrics
        .get()
        .onSuccess(text -> request.response().putHeader("Content-Type", PROMETHEUS_TEXT).end(text))
        .onFailure(request::fail);
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
