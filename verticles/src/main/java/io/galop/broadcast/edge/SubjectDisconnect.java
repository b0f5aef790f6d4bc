package io.galop.broadcast.edge;

import io.galop.bus.Refusal;
import io.galop.bus.ViewerLane;
import io.galop.cluster.Member;
import io.galop.jvm.ErrorText;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has every node, and every relay that one dials, end the connections of a subject and refuse its
 * tokens from before now; says what each did, and which did not answer.
 */
final class SubjectDisconnect implements Reports.Report {
  private static final Logger LOG = LoggerFactory.getLogger(SubjectDisconnect.class);

  /** No token that is read is longer. */
  private static final int MOST_CHARACTERS = 8192;

  private final ViewerLane lane;
  private final Supplier<List<Member>> nodes;

  /**
   * Asked for by an operator.
   *
   * @param nodes who is to follow it now
   */
  SubjectDisconnect(ViewerLane lane, Supplier<List<Member>> nodes) {
    this.lane = lane;
    this.nodes = nodes;
  }

  /** What a node has answered; the answer is null if it has not. */
  private record Asked(Member node, Future<JsonObject> answer) {}

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    String subject = parameters.getOrDefault("subject", "");
    if (subject.isEmpty() || subject.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "subject must be the sub of the viewer's tokens, 1 to "
              + MOST_CHARACTERS
              + " characters");
    }
    long beforeMs = System.currentTimeMillis();
    JsonObject order = new JsonObject().put("subject", subject).put("beforeMs", beforeMs);
    List<Asked> all = new ArrayList<>();
    for (Member member : nodes.get()) {
      all.add(new Asked(member, lane.disconnect(member.id(), order)));
    }
    return Future.join(all.stream().map(Asked::answer).toList())
        .transform(done -> summary(subject, beforeMs, all));
  }

  private static Future<JsonObject> summary(String subject, long beforeMs, List<Asked> all) {
    DisconnectSummary summary = new DisconnectSummary();
    for (Asked one : all) {
      if (one.answer.succeeded()) {
        summary.add(one.node.name(), one.answer.result());
      } else {
        summary.addFailure(one.node.name(), ErrorText.of(one.answer.cause()));
      }
    }
    JsonObject told = summary.toJson(subject, beforeMs);
    if (!summary.hasSense()) {
      return Future.failedFuture(
          new Refusal(
              Refusal.Why.BAD_REQUEST,
              "no node asks viewers for tokens, so none has a subject; see broadcast.token"));
    }
    LOG.info(
        "a subject was disconnected: {} connections on {} nodes and {} relays",
        told.getInteger("ended"),
        told.getJsonArray("nodes").size(),
        told.getJsonArray("relays").size());
    return Future.succeededFuture(told);
  }
}
