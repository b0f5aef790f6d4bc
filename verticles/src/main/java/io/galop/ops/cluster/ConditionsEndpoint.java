package io.galop.ops.cluster;

import io.galop.node.JsonAnswer;
import io.galop.node.Node;
import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /conditions}: what is not as it should be on each node. Whoever asks while nodes are
 * being asked gets the same answer. On the event loop of the port.
 */
public final class ConditionsEndpoint {
  /** The report that each node shares. */
  public static final String NAME = "conditions";

  private final ClusterReports reports;
  private Optional<Future<Buffer>> underWay = Optional.empty();

  public ConditionsEndpoint(Vertx vertx, Node node, Loop loop) {
    this.reports = new ClusterReports(vertx, node, loop);
  }

  /** Adds its route. */
  public void mount(Router router) {
    router.get("/" + NAME).handler(this::conditions);
  }

  private void conditions(RoutingContext request) {
    Future<Buffer> answer = underWay.orElseGet(this::ask);
    answer.onSuccess(text -> JsonAnswer.send(request, text)).onFailure(request::fail);
  }

  /** Without those that only publish, from a command line. */
  private Future<Buffer> ask() {
    Future<Buffer> answer =
        reports
            .ask(member -> !member.roles().isEmpty(), NAME, Map.of())
            .map(answers -> joined(answers).toBuffer());
    underWay = Optional.of(answer);
    answer.onComplete(done -> underWay = Optional.empty());
    return answer;
  }

  private static JsonObject joined(Answers answers) {
    JsonArray nodes = new JsonArray();
    answers
        .given()
        .forEach(
            (name, told) ->
                nodes.add(new JsonObject().put("node", name).put(NAME, told.getJsonArray(NAME))));
    return new JsonObject()
        .put("nodes", nodes)
        .put("unanswered", Answers.unanswered(answers.unanswered()));
  }
}
