package io.galop.ops;

import io.galop.bus.Refusal;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.ops.audit.ActHandler;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.audit.AuditTrail;
import io.galop.ops.cluster.OneViewer;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code POST /viewers/disconnect} with {@code {"subject":…}}: ends the connections of a viewer on
 * all nodes, and refuses its tokens from before. 200 if every node has done and saved that; 504
 * naming in {@code error} those that did not answer, 500 naming those that could not save it. With
 * {@code {"node":…,"id":…}}: ends one connection, and nothing else.
 */
final class ViewerEndpoint {
  private static final String PATH = "/viewers/disconnect";
  private static final int MOST_BYTES = 64 * 1024;

  private final OneViewer viewer;
  private final Node node;
  private final AuditTrail trail;
  private final Loop loop;

  ViewerEndpoint(Node node, AuditTrail trail, Loop loop, OneViewer viewer) {
    this.viewer = viewer;
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
      Map<String, String> one = OneViewer.named(request);
      return one.isEmpty() ? subject(request) : one;
    } catch (IllegalArgumentException wrong) {
      return Map.of(); // disconnect says what is wrong with it
    }
  }

  private Future<Answer> disconnect(RoutingContext request) {
    Map<String, String> one = OneViewer.named(request);
    if (!one.isEmpty()) {
      return viewer.end(request, one);
    }
    try {
      return node.reports()
          .find("viewers/disconnect")
          .orElseThrow()
          .answer(subject(request))
          .map(ViewerEndpoint::answer)
          .recover(
              failure ->
                  failure instanceof Refusal refusal
                      ? Future.succeededFuture(refused(refusal))
                      : Future.failedFuture(failure));
    } catch (IllegalArgumentException wrong) {
      return Future.succeededFuture(Answer.error(400, "invalid_parameter", ErrorText.of(wrong)));
    }
  }

  /** Without tokens nobody has a subject; else too many orders are being saved. */
  private static Answer refused(Refusal refusal) {
    boolean isPointless = refusal.why() == Refusal.Why.BAD_REQUEST;
    String reason = isPointless ? "no_tokens" : Refusal.word(refusal);
    return Answer.error(409, reason, ErrorText.of(refusal));
  }

  /** An order that somebody has not followed is no success, whatever the others did. */
  private static Answer answer(JsonObject done) {
    JsonArray unanswered = done.getJsonArray("unanswered");
    JsonArray unsaved = done.getJsonArray("unsaved");
    if (unanswered.isEmpty() && unsaved.isEmpty()) {
      return new Answer(200, done);
    }
    List<String> why = new ArrayList<>();
    if (!unanswered.isEmpty()) {
      why.add("did not answer: " + names(unanswered.stream().map(ViewerEndpoint::name)));
    }
    if (!unsaved.isEmpty()) {
      why.add("could not save it: " + names(unsaved.stream().map(String::valueOf)));
    }
    done.put("error", String.join("; ", why));
    return unanswered.isEmpty()
        ? new Answer(500, done.put("reason", "unsaved"))
        : new Answer(504, done.put("reason", "unanswered"));
  }

  private static String name(Object node) {
    return ((JsonObject) node).getString("node");
  }

  private static String names(Stream<String> nodes) {
    return nodes.sorted().collect(Collectors.joining(", "));
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
    throw new IllegalArgumentException(
        "the body must be {\"subject\":\"…\"}, or {\"node\":\"…\",\"id\":\"…\"} for one connection");
  }
}
