package io.galop.broadcast.edge;

import io.galop.bus.Refusal;
import io.galop.bus.ViewerLane;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.jvm.ErrorText;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has every node end the connections of a subject and refuse its tokens from before now; says what
 * each node did, and which did not answer.
 */
final class SubjectDisconnect implements Reports.Report {
  private static final Logger LOG = LoggerFactory.getLogger(SubjectDisconnect.class);

  /** No token that is read is longer. */
  private static final int MOST_CHARACTERS = 8192;

  private final ViewerLane lane;
  private final Cluster cluster;

  SubjectDisconnect(ViewerLane lane, Cluster cluster) {
    this.lane = lane;
    this.cluster = cluster;
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
    for (Member member : cluster.members()) {
      all.add(new Asked(member, lane.disconnect(member.id(), order)));
    }
    return Future.join(all.stream().map(Asked::answer).toList())
        .transform(done -> summary(subject, beforeMs, all));
  }

  private static Future<JsonObject> summary(String subject, long beforeMs, List<Asked> all) {
    JsonArray nodes = new JsonArray();
    JsonArray unanswered = new JsonArray();
    JsonArray unsaved = new JsonArray();
    int ended = 0;
    boolean asksForTokens = false;
    for (Asked one : all) {
      JsonObject node = new JsonObject().put("node", one.node.name());
      if (one.answer.failed()) {
        unanswered.add(node.put("why", ErrorText.of(one.answer.cause())));
        continue;
      }
      JsonObject answer = one.answer.result();
      ended += answer.getInteger("ended");
      asksForTokens |= answer.getBoolean("asksForTokens");
      nodes.add(node.put("ended", answer.getInteger("ended")));
      if (!answer.getBoolean("saved")) {
        unsaved.add(one.node.name());
      }
    }
    if (!asksForTokens && unanswered.isEmpty()) {
      return Future.failedFuture(
          new Refusal(
              Refusal.Why.BAD_REQUEST,
              "no node asks viewers for tokens, so none has a subject; see broadcast.token"));
    }
    LOG.info("a subject was disconnected: {} connections on {} nodes", ended, nodes.size());
    return Future.succeededFuture(
        new JsonObject()
            .put("subject", subject)
            .put("before", Instant.ofEpochMilli(beforeMs).toString())
            .put("ended", ended)
            .put("nodes", nodes)
            .put("unanswered", unanswered)
            .put("unsaved", unsaved));
  }
}
