package io.galop.ops;

import io.galop.bus.Refusal;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.ops.access.AccessGate;
import io.galop.ops.access.Login;
import io.galop.ops.audit.ActHandler;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.audit.AuditTrail;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /alarms} and {@code POST /alarms/acknowledge|shelve|unshelve}: of all nodes, whichever
 * is asked.
 */
final class AlarmEndpoint {
  private static final String PATH = "/alarms";
  private static final int MOST_BYTES = 1024 * 1024;

  private final Node node;
  private final AuditTrail trail;
  private final Loop loop;

  AlarmEndpoint(Node node, AuditTrail trail, Loop loop) {
    this.node = node;
    this.trail = trail;
    this.loop = loop;
  }

  void mount(Router router) {
    router.get(PATH).handler(this::list);
    for (String act : List.of("acknowledge", "shelve", "unshelve")) {
      router
          .post(PATH + "/" + act)
          .handler(BodyHandler.create(false).setBodyLimit(MOST_BYTES))
          .handler(new ActHandler(trail, loop, AlarmEndpoint::named, request -> act(act, request)));
    }
  }

  private void list(RoutingContext request) {
    Map<String, String> parameters = new HashMap<>();
    request.queryParams().forEach(parameters::put);
    answered("alarms", parameters)
        .onSuccess(answer -> ActHandler.send(request, answer))
        .onFailure(request::fail);
  }

  /** For the audit log, which shortens it. */
  private static Map<String, String> named(RoutingContext request) {
    return Map.of("order", String.valueOf(request.body().asString()));
  }

  private Future<Answer> act(String act, RoutingContext request) {
    Login login = AccessGate.login(request);
    String body = request.body().asString();
    return answered(
        "alarms/" + act,
        Map.of(
            "order",
            body == null ? "" : body,
            "by",
            login.isKnown() ? login.operator() : "anonymous"));
  }

  private Future<Answer> answered(String report, Map<String, String> parameters) {
    try {
      Future<JsonObject> answer = node.reports().find(report).orElseThrow().answer(parameters);
      return loop.bring(answer)
          .map(done -> new Answer(200, done))
          .recover(
              failure ->
                  failure instanceof Refusal
                      ? Future.succeededFuture(
                          Answer.error(409, Refusal.word(failure), ErrorText.of(failure)))
                      : Future.failedFuture(failure));
    } catch (IllegalArgumentException wrong) {
      return Future.succeededFuture(Answer.error(400, "invalid_parameter", ErrorText.of(wrong)));
    }
  }
}
