package io.galop.ops;

import io.galop.bus.Refusal;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.ops.audit.ActHandler;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.audit.AuditTrail;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Map;

/**
 * {@code POST /viewers/disconnect} with {@code {"subject":…}}: ends the connections of a viewer on
 * all nodes, and refuses its tokens from before.
 */
final class ViewerEndpoint {
  private static final String PATH = "/viewers/disconnect";
  private static final int MOST_BYTES = 64 * 1024;

  private final Node node;
  private final AuditTrail trail;
  private final Loop loop;

  ViewerEndpoint(Node node, AuditTrail trail, Loop loop) {
    this.node = node;
    this.trail = trail;
    this.loop = loop;
  }

  void mount(Router router) {
    router
        .post(PATH)
        .handler(BodyHandler.create(false).setBodyLimit(MOST_BYTES))
        .handler(new ActHandler(trail, loop, ViewerEndpoint::named, this::disconnect));
  }

  /** For the audit log. */
  private static Map<String, String> named(RoutingContext request) {
    try {
      return subject(request);
    } catch (IllegalArgumentException wrong) {
      return Map.of(); // disconnect says what is wrong with it
    }
  }

  private Future<Answer> disconnect(RoutingContext request) {
    try {
      return node.reports()
          .find("viewers/disconnect")
          .orElseThrow()
          .answer(subject(request))
          .map(done -> new Answer(200, done))
          .recover(
              failure ->
                  failure instanceof Refusal
                      ? Future.succeededFuture(Answer.error(409, ErrorText.of(failure)))
                      : Future.failedFuture(failure));
    } catch (IllegalArgumentException wrong) {
      return Future.succeededFuture(Answer.error(400, ErrorText.of(wrong)));
    }
  }

  private static Map<String, String> subject(RoutingContext request) {
    try {
      JsonObject body = request.body().asJsonObject();
      if (body != null && body.size() == 1 && body.getValue("subject") instanceof String subject) {
        return Map.of("subject", subject);
      }
    } catch (DecodeException | ClassCastException e) {
      // Said below, as for an object with something else.
    }
    throw new IllegalArgumentException("the body must be {\"subject\":\"…\"}");
  }
}
