package io.galop.ops;

import io.galop.bus.Refusal;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.galop.ops.audit.ActHandler;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.audit.AuditTrail;
import io.galop.ops.audit.TextHash;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /scripts}: what each script of this node does, and how far a new version is. {@code
 * POST /scripts} with {@code {"file":…, "source":…, "cases":…}}: tries a new version.
 */
final class ScriptEndpoint {
  private static final int MOST_BYTES = 2 * 1024 * 1024;

  private final Node node;
  private final Handler<RoutingContext> gate;
  private final AuditTrail trail;
  private final Loop loop;

  /**
   * Routes, not mounted.
   *
   * @param gate judges requests where no operators are named
   */
  ScriptEndpoint(Node node, Handler<RoutingContext> gate, AuditTrail trail, Loop loop) {
    this.node = node;
    this.gate = gate;
    this.trail = trail;
    this.loop = loop;
  }

  void mount(Router router) {
    router.get("/scripts").handler(this::show);
    router.post("/scripts").handler(gate);
    router
        .post("/scripts")
        .handler(BodyHandler.create(false).setBodyLimit(MOST_BYTES))
        .handler(new ActHandler(trail, loop, ScriptEndpoint::named, this::deploy));
  }

  /** What each script does; empty where the node has none, or not the role. */
  static JsonArray scripts(Node node) {
    return node.reports()
        .find("scripts")
        .map(report -> report.answer(Map.of()))
        .filter(Future::succeeded)
        .map(answer -> answer.result().getJsonArray("scripts"))
        .orElse(new JsonArray());
  }

  private void show(RoutingContext request) {
    answer(request, 200, new JsonObject().put("scripts", scripts(node)));
  }

  /** For the audit log: which script, and by what the source can be known again. */
  private static Map<String, String> named(RoutingContext request) {
    try {
      Map<String, String> given = parameters(request.body().asJsonObject());
      String source = given.getOrDefault("source", "");
      return Map.of(
          "file", given.getOrDefault("file", ""), "sourceSha256", TextHash.sha256(source));
    } catch (RuntimeException wrong) {
      return Map.of(); // deploy says what is wrong with it
    }
  }

  private Future<Answer> deploy(RoutingContext request) {
    Optional<Reports.Report> taker = node.reports().find("scripts/deploy");
    if (taker.isEmpty()) {
      return error(404, "role_missing", "this node has no role enrich, and no scripts");
    }
    try {
      return taker
          .get()
          .answer(parameters(request.body().asJsonObject()))
          .map(taken -> new Answer(202, taken))
          .otherwise(ScriptEndpoint::refused);
    } catch (IllegalArgumentException | DecodeException | ClassCastException wrong) {
      return error(400, "invalid_parameter", ErrorText.of(wrong));
    }
  }

  private static Answer refused(Throwable failure) {
    return failure instanceof Refusal
        ? Answer.error(503, Refusal.word(failure), ErrorText.of(failure))
        : Answer.error(400, "invalid_script", ErrorText.of(failure));
  }

  private static Map<String, String> parameters(@Nullable JsonObject body) {
    if (body == null || !body.containsKey("file") || !body.containsKey("source")) {
      throw new IllegalArgumentException("the body must be {\"file\":…, \"source\":…}");
    }
    Map<String, String> parameters = new HashMap<>();
    for (String key : body.fieldNames()) {
      parameters.put(key, body.getString(key));
    }
    return parameters;
  }

  private static Future<Answer> error(int status, String reason, String why) {
    return Future.succeededFuture(Answer.error(status, reason, why));
  }

  private static void answer(RoutingContext request, int status, JsonObject body) {
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.encode());
  }
}
