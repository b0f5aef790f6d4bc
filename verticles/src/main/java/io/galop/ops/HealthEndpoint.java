package io.galop.ops;

import io.galop.config.Role;
import io.galop.node.Audience;
import io.galop.node.Condition;
import io.galop.node.Node;
import io.galop.ops.cluster.ConditionsEndpoint;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Is the node alive, and is it ready for whom. {@code /health/ready} is about the node as a whole;
 * {@code /health/ready/publish} and {@code /health/ready/view} are for balancers before either. All
 * three have the same body. {@code /conditions} is about all nodes.
 */
final class HealthEndpoint {
  private final Vertx vertx;
  private final Node node;
  private final Loop loop;

  HealthEndpoint(Vertx vertx, Node node, Loop loop) {
    this.vertx = vertx;
    this.node = node;
    this.loop = loop;
  }

  void mount(Router router) {
    node.reports()
        .share(
            ConditionsEndpoint.NAME,
            asked ->
                Future.succeededFuture(
                    new JsonObject()
                        .put(ConditionsEndpoint.NAME, conditions(node.readiness().conditions()))));
    new ConditionsEndpoint(vertx, node, loop).mount(router);
    router.get("/health/live").handler(HealthEndpoint::live);
    router.get("/health/ready").handler(request -> answer(request, isReady()));
    router
        .get("/health/ready/publish")
        .handler(request -> answer(request, reasons(Audience.PUBLISHERS).isEmpty()));
    router
        .get("/health/ready/view")
        .handler(request -> answer(request, reasons(Audience.VIEWERS).isEmpty()));
  }

  /** Answers as long as an event loop does: a process that cannot is to be restarted. */
  private static void live(RoutingContext request) {
    send(request, 200, new JsonObject().put("live", true));
  }

  /** A node that refuses records goes on being of use where it has viewers. */
  private boolean isReady() {
    return node.readiness().isReady()
        && (node.config().runs(Role.BROADCAST)
            || node.readiness().reasons(Audience.PUBLISHERS).isEmpty());
  }

  private Map<String, String> reasons(Audience audience) {
    Role role = audience == Audience.PUBLISHERS ? Role.INGEST : Role.BROADCAST;
    return node.config().runs(role)
        ? node.readiness().reasons(audience)
        : Map.of("node", "this node has no role " + role.word());
  }

  /** Without a login: names neither viewers nor topics. */
  private void answer(RoutingContext request, boolean isReady) {
    List<Condition> open = node.readiness().conditions().stream().map(Condition::opened).toList();
    JsonObject body =
        new JsonObject()
            .put("ready", isReady)
            .put("publishers", of(Audience.PUBLISHERS))
            .put("viewers", of(Audience.VIEWERS))
            .put("reasons", object(node.readiness().reasons()))
            .put("warnings", warnings(open))
            .put("conditions", conditions(open));
    send(request, isReady ? 200 : 503, body);
  }

  private JsonObject of(Audience audience) {
    Map<String, String> reasons = reasons(audience);
    return new JsonObject().put("ready", reasons.isEmpty()).put("reasons", object(reasons));
  }

  private static JsonObject warnings(List<Condition> conditions) {
    Map<String, String> texts = new TreeMap<>();
    conditions.stream()
        .filter(one -> one.level() != Condition.Level.UNREADY)
        .forEach(one -> texts.put(one.part(), one.text()));
    return object(texts);
  }

  /** What is not as it should be, each with what to do and since when. */
  static JsonArray conditions(List<Condition> conditions) {
    JsonArray all = new JsonArray();
    for (Condition one : conditions) {
      JsonArray of = new JsonArray();
      one.of().stream().sorted().map(Audience::word).forEach(of::add);
      all.add(
          new JsonObject()
              .put("part", one.part())
              .put("level", one.level().name().toLowerCase(Locale.ROOT))
              .put("keeps", of)
              .put("what", one.what())
              .put("advice", one.advice())
              .put("runbook", RunbookSection.of(one).title())
              .put("since", one.since().toString())
              .put("sinceMs", one.since().toEpochMilli()));
    }
    return all;
  }

  private static JsonObject object(Map<String, String> texts) {
    JsonObject object = new JsonObject();
    texts.forEach(object::put);
    return object;
  }

  private static void send(RoutingContext request, int status, JsonObject body) {
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.encode());
  }
}
