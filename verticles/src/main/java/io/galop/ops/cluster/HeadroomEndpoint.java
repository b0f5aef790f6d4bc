package io.galop.ops.cluster;

import io.galop.node.JsonAnswer;
import io.galop.node.Node;
import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.ops.headroom.HeadroomJson;
import io.galop.vertx.Loop;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code GET /headroom}: how much of each node is used. On the event loop of the port. */
public final class HeadroomEndpoint {
  private static final String NAME = "headroom";

  private final ClusterReports reports;

  public HeadroomEndpoint(Vertx vertx, Node node, Loop loop) {
    this.reports = new ClusterReports(vertx, node, loop);
  }

  /** Adds its route. */
  public void mount(Router router) {
    router.get("/" + NAME).handler(this::headroom);
  }

  private void headroom(RoutingContext request) {
    reports
        .ask(member -> true, NAME, Map.of())
        .map(HeadroomEndpoint::joined)
        .onSuccess(answer -> JsonAnswer.send(request, answer.toBuffer()))
        .onFailure(request::fail);
  }

  private static JsonObject joined(Answers answers) {
    return HeadroomJson.join(answers.given())
        .put("unanswered", Answers.unanswered(answers.unanswered()));
  }
}
