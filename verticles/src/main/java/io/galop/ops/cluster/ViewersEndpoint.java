package io.galop.ops.cluster;

import io.galop.config.Role;
import io.galop.node.BoundedQuestions;
import io.galop.node.FoundViewers;
import io.galop.node.JsonAnswer;
import io.galop.node.Node;
import io.galop.node.ViewerQuestion;
import io.galop.node.ViewerQuestion.By;
import io.galop.ops.access.AccessGate;
import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;

/**
 * {@code GET /viewers?find=…[&by=…][&limit=…]}: viewers of all nodes, whoever has lost most first.
 * Whom their tokens name is for operators. So many questions at once; more get 503. On the event
 * loop of the port.
 */
public final class ViewersEndpoint {
  private static final String REPORT = "viewers/find";
  private static final int MOST_UNDER_WAY = 4;

  private final Vertx vertx;
  private final Loop loop;
  private final ClusterReports reports;
  private final BoundedQuestions questions;

  public ViewersEndpoint(Vertx vertx, Node node, Loop loop) {
    this.vertx = vertx;
    this.loop = loop;
    this.reports = new ClusterReports(vertx, node, loop);
    this.questions =
        new BoundedQuestions(
            MOST_UNDER_WAY,
            Counter.builder("galop.viewers.refused")
                .description("Questions for viewers that were refused, as too many were under way")
                .register(node.meters()));
  }

  /** Whether it is a question for viewers of all nodes. */
  public static boolean isAsked(RoutingContext request) {
    return request.queryParams().contains("find");
  }

  /** Answers it. */
  public void find(RoutingContext request) {
    if (reports.members().stream().noneMatch(ClusterReports.with(Role.BROADCAST))) {
      JsonAnswer.refuse(
          request, 404, "role_missing", "this node reaches none with viewers; ask one of these");
      return;
    }
    ViewerQuestion question;
    try {
      question = question(request);
    } catch (IllegalArgumentException wrong) {
      JsonAnswer.invalid(request, wrong);
      return;
    }
    if (question.by() == By.SUBJECT && !question.subjects()) {
      JsonAnswer.refuse(
          request, 403, "role_viewer", "to look for whom tokens name takes the role operator");
    } else {
      questions.answer(request, () -> ask(question));
    }
  }

  private static ViewerQuestion question(RoutingContext request) {
    Map<String, String> parameters = new HashMap<>();
    request.queryParams().forEach(parameters::put);
    parameters.put("subjects", Boolean.toString(AccessGate.login(request).mayAct()));
    return ViewerQuestion.of(parameters);
  }

  private Future<Buffer> ask(ViewerQuestion question) {
    return reports
        .ask(ClusterReports.with(Role.BROADCAST), REPORT, question.parameters())
        .compose(
            answers -> loop.bring(vertx.executeBlocking(() -> joined(question, answers), false)));
  }

  private static Buffer joined(ViewerQuestion question, Answers answers) {
    FoundViewers all = new FoundViewers(question.limit());
    answers.given().forEach((name, found) -> all.add(found, viewer -> viewer.put("node", name)));
    JsonObject json = all.json();
    return json.put("nowMs", System.currentTimeMillis())
        .put("subjects", question.subjects())
        .put("unanswered", Answers.unanswered(answers.unanswered()))
        .toBuffer();
  }
}
