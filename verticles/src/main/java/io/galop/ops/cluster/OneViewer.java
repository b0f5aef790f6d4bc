package io.galop.ops.cluster;

import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.ops.access.AccessGate;
import io.galop.ops.audit.ActHandler;
import io.galop.ops.audit.ActHandler.Answer;
import io.galop.ops.audit.AuditTrail;
import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.HashMap;
import java.util.Map;

/**
 * One viewer, whichever node it is at. {@code POST /viewers/frames} with {@code {"node":…,"id":…}}
 * begins to look at what it is sent, and is in the audit log; {@code GET
 * /viewers/frames?node=…&look=…} tells the last messages to whoever has begun it. On the event loop
 * of the port.
 */
public final class OneViewer {
  private static final String PATH = "/viewers/frames";
  private static final int MOST_BYTES = 64 * 1024;

  private final Node node;
  private final AuditTrail trail;
  private final Loop loop;
  private final ClusterReports reports;

  public OneViewer(Vertx vertx, Node node, AuditTrail trail, Loop loop) {
    this.node = node;
    this.trail = trail;
    this.loop = loop;
    this.reports = new ClusterReports(vertx, node, loop);
  }

  /** Adds its routes. */
  public void mount(Router router) {
    router
        .post(PATH)
        .handler(BodyHandler.create(false).setBodyLimit(MOST_BYTES))
        .handler(new ActHandler(trail, loop, OneViewer::named, this::begin));
    router.get(PATH).handler(this::frames);
  }

  /** Which one the body names; empty where it names none. */
  public static Map<String, String> named(RoutingContext request) {
    try {
      JsonObject body = request.body().asJsonObject();
      if (body != null
          && body.size() == 2
          && body.getValue("node") instanceof String at
          && body.getValue("id") instanceof String id) {
        return Map.of("node", at, "id", id);
      }
    } catch (DecodeException | ClassCastException e) {
      // Said by whoever asks, as for an object with something else.
    }
    return Map.of();
  }

  private Future<Answer> begin(RoutingContext request) {
    Map<String, String> named = named(request);
    if (named.isEmpty()) {
      String why = "the body must be {\"node\":\"…\",\"id\":\"…\"}";
      return Future.succeededFuture(Answer.error(400, "invalid_parameter", why));
    }
    return ask(request, "viewers/look", named);
  }

  /** Ends its connection; the same as {@link #named} says. */
  public Future<Answer> end(RoutingContext request, Map<String, String> named) {
    return ask(request, "viewers/end", named);
  }

  private void frames(RoutingContext request) {
    Map<String, String> asked = new HashMap<>();
    request.queryParams().forEach(asked::put);
    ask(request, "viewers/frames", asked)
        .onSuccess(answer -> ActHandler.send(request, answer))
        .onFailure(request::fail);
  }

  /** Has the node of the viewer answer. */
  private Future<Answer> ask(RoutingContext request, String report, Map<String, String> asked) {
    String at = asked.getOrDefault("node", "");
    Map<String, String> parameters = new HashMap<>(asked);
    parameters.put("operator", AccessGate.login(request).operator());
    parameters.put("through", node.bus().cluster().self().name());
    return reports
        .ask(member -> has(member, at), report, parameters)
        .map(answers -> answer(at, answers));
  }

  private static boolean has(Member member, String name) {
    return member.name().equals(name) && member.roles().contains(Role.BROADCAST);
  }

  private static Answer answer(String at, Answers answers) {
    if (!answers.unanswered().isEmpty()) {
      return Answer.error(504, "unanswered", answers.unanswered().toString());
    }
    if (answers.given().isEmpty()) {
      return Answer.error(404, "no_node", "no node with viewers that is reached is named " + at);
    }
    JsonObject given = answers.given().values().iterator().next();
    return given.isEmpty()
        ? Answer.error(404, "no_viewer", "it is not there: gone, or nobody looks at it any more")
        : new Answer(200, given);
  }
}
