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
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST /config} with {@code {"yaml":…, "name":…, "dryRun":…}}: brings another configuration
 * to this node. Answers {@code {"done":…, "applied":[{"path","from","to"}], "again":[path…],
 * "refused":[…with "why"]}}, or 400 if the configuration is wrong.
 */
final class ConfigEndpoint {
  private static final String PATH = "/config";
  private static final int MOST_BYTES = 2 * 1024 * 1024;

  private final Node node;
  private final Handler<RoutingContext> gate;
  private final AuditTrail trail;
  private final Loop loop;

  /**
   * A route, not mounted.
   *
   * @param gate judges requests where no operators are named
   */
  ConfigEndpoint(Node node, Handler<RoutingContext> gate, AuditTrail trail, Loop loop) {
    this.node = node;
    this.gate = gate;
    this.trail = trail;
    this.loop = loop;
  }

  void mount(Router router) {
    router.post(PATH).handler(gate);
    router
        .post(PATH)
        .handler(BodyHandler.create(false).setBodyLimit(MOST_BYTES))
        .handler(new ActHandler(trail, loop, ConfigEndpoint::named, this::apply));
  }

  /** For the audit log: the file's name, and by what its text can be known again. */
  private static Map<String, String> named(RoutingContext request) {
    try {
      Map<String, String> given = parameters(request);
      return Map.of(
          "file",
          given.getOrDefault("name", ""),
          "sha256",
          TextHash.sha256(given.getOrDefault("yaml", "")),
          "dryRun",
          String.valueOf(given.containsKey("dryRun")));
    } catch (IllegalArgumentException wrong) {
      return Map.of(); // apply says what is wrong with it
    }
  }

  private Future<Answer> apply(RoutingContext request) {
    Optional<Reports.Report> taker = node.reports().find("config/apply");
    if (taker.isEmpty()) {
      return Future.succeededFuture(
          Answer.error(404, "not_configurable", "this node takes no configuration"));
    }
    try {
      return loop.bring(taker.get().answer(parameters(request)))
          .map(done -> new Answer(200, done))
          .otherwise(ConfigEndpoint::refused);
    } catch (IllegalArgumentException wrong) {
      return Future.succeededFuture(Answer.error(400, "invalid_parameter", ErrorText.of(wrong)));
    }
  }

  private static Answer refused(Throwable failure) {
    boolean isWrong =
        failure instanceof Refusal refusal && refusal.why() == Refusal.Why.BAD_REQUEST;
    return isWrong
        ? Answer.error(400, "invalid_configuration", ErrorText.of(failure))
        : Answer.error(503, Refusal.word(failure), ErrorText.of(failure));
  }

  private static Map<String, String> parameters(RoutingContext request) {
    try {
      JsonObject body = request.body().asJsonObject();
      if (body != null && body.getString("yaml") != null) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("yaml", body.getString("yaml"));
        parameters.put("name", body.getString("name", "the file"));
        if (body.getBoolean("dryRun", false)) {
          parameters.put("dryRun", "true");
        }
        return parameters;
      }
    } catch (DecodeException | ClassCastException e) {
      // Said below, as for an object without a text.
    }
    throw new IllegalArgumentException(
        "the body must be {\"yaml\":\"…\"}, and may have \"name\" (text) and \"dryRun\" (boolean)");
  }
}
