package io.galop.ops;

import io.galop.bus.Refusal;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /scripts}: what each script of this node does, and how far a new version is. {@code
 * POST /scripts} with {@code {"file":…, "source":…, "cases":…}}: tries a new version.
 */
final class ScriptEndpoint {
  private static final int MOST_BYTES = 2 * 1024 * 1024;

  private final Node node;
  private final ScriptGate gate;

  ScriptEndpoint(Node node) {
    this.node = node;
    this.gate = new ScriptGate(node.config().ingest());
  }

  void mount(Router router) {
    router.get("/scripts").handler(this::show);
    router.post("/scripts").handler(this::admit);
    router
        .post("/scripts")
        .handler(BodyHandler.create(false).setBodyLimit(MOST_BYTES))
        .handler(this::deploy);
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

  /** The body waits: whether it is read is not known yet. */
  private void admit(RoutingContext request) {
    request.request().pause();
    gate.admit(
            request.vertx(),
            request.request().getHeader("Origin"),
            request.request().getHeader(HttpHeaders.AUTHORIZATION),
            request.request().remoteAddress())
        .onSuccess(
            refused -> {
              if (refused.isEmpty()) {
                request.request().resume();
                request.next();
              } else {
                request.request().resume();
                answer(request, refused.get().status(), error(refused.get().why()));
              }
            })
        .onFailure(request::fail);
  }

  private void deploy(RoutingContext request) {
    Optional<Reports.Report> taker = node.reports().find("scripts/deploy");
    if (taker.isEmpty()) {
      answer(request, 404, error("this node has no role enrich, and no scripts"));
      return;
    }
    try {
      taker
          .get()
          .answer(parameters(request.body().asJsonObject()))
          .onSuccess(taken -> answer(request, 202, taken))
          .onFailure(failure -> answer(request, status(failure), error(failure.getMessage())));
    } catch (IllegalArgumentException | DecodeException | ClassCastException wrong) {
      answer(request, 400, error(wrong.getMessage()));
    }
  }

  private static int status(Throwable failure) {
    return failure instanceof Refusal ? 503 : 400;
  }

  private static Map<String, String> parameters(JsonObject body) {
    if (body == null || !body.containsKey("file") || !body.containsKey("source")) {
      throw new IllegalArgumentException("the body must be {\"file\":…, \"source\":…}");
    }
    Map<String, String> parameters = new HashMap<>();
    for (String key : body.fieldNames()) {
      parameters.put(key, body.getString(key));
    }
    return parameters;
  }

  private static JsonObject error(String what) {
    return new JsonObject().put("error", what);
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
