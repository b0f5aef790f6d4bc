package io.galop.broadcast.edge;

import io.galop.bus.ViewerLane;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.jvm.ErrorText;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks other nodes whom they know as disconnected: all of them at the start, each that is new, and
 * every few seconds one of them, which brings what a node has missed while it stood still or was
 * cut off. Nodes that know the same say so in one small message. On one event loop.
 */
final class RevocationExchange {
  private static final Logger LOG = LoggerFactory.getLogger(RevocationExchange.class);

  /** A page fits into a frame of the bus, however long the subjects are. */
  private static final int PAGE = 200;

  private final ViewerLane lane;
  private final Cluster cluster;
  private final Revocations known;
  private final Function<Map<String, Long>, Future<?>> learn;
  private Set<String> seen = new HashSet<>();

  /**
   * @param learn takes what others know
   */
  RevocationExchange(
      ViewerLane lane,
      Cluster cluster,
      Revocations known,
      Function<Map<String, Long>, Future<?>> learn) {
    this.lane = lane;
    this.cluster = cluster;
    this.known = known;
    this.learn = learn;
  }

  /**
   * Asks all others that are there.
   *
   * @return succeeds when they have answered, or will not soon
   */
  Future<?> start() {
    return Future.join(others(cluster.members()).stream().map(this::ask).toList())
        .onComplete(asked -> cluster.onChange(this::onMembers))
        .transform(asked -> Future.succeededFuture());
  }

  private List<Member> others(List<Member> members) {
    return members.stream().filter(member -> !member.equals(cluster.self())).toList();
  }

  private void onMembers(List<Member> members) {
    Set<String> now = new HashSet<>();
    for (Member member : others(members)) {
      now.add(member.id());
      if (!seen.contains(member.id())) {
        ask(member);
      }
    }
    seen = now;
  }

  /** Asks one of them. */
  void tick() {
    List<Member> others = others(cluster.members());
    if (!others.isEmpty()) {
      ask(others.get(ThreadLocalRandom.current().nextInt(others.size())));
    }
  }

  private Future<Void> ask(Member member) {
    return ask(member, "")
        .onSuccess(known -> seen.add(member.id()))
        .onFailure(
            failure ->
                LOG.debug(
                    "{} does not say whom it has disconnected: {}",
                    member.name(),
                    ErrorText.of(failure)));
  }

  private Future<Void> ask(Member member, String after) {
    JsonObject question =
        new JsonObject()
            .put("after", after)
            .put("fingerprint", known.fingerprint(System.currentTimeMillis()));
    return lane.known(member.id(), question)
        .compose(page -> learn.apply(moments(page)).map(done -> page))
        .compose(
            page ->
                page.containsKey("next")
                    ? ask(member, page.getString("next"))
                    : Future.succeededFuture());
  }

  /** What an order or a page says of subjects. */
  static Map<String, Long> moments(JsonObject page) {
    JsonObject subjects = page.getJsonObject("subjects");
    Map<String, Long> moments = new HashMap<>();
    subjects.fieldNames().forEach(subject -> moments.put(subject, subjects.getLong(subject)));
    return moments;
  }

  /** Answers what others {@link #ask}. */
  Future<JsonObject> onKnown(JsonObject question) {
    String after = question.getString("after");
    JsonObject subjects = new JsonObject();
    JsonObject answer = new JsonObject().put("subjects", subjects);
    long nowMs = System.currentTimeMillis();
    if (after.isEmpty() && question.getLong("fingerprint") == known.fingerprint(nowMs)) {
      return Future.succeededFuture(answer);
    }
    List<Map.Entry<String, Long>> page = known.behind(after, PAGE, nowMs);
    page.forEach(one -> subjects.put(one.getKey(), one.getValue()));
    if (page.size() == PAGE) {
      answer.put("next", page.get(PAGE - 1).getKey());
    }
    return Future.succeededFuture(answer);
  }
}
