package io.galop.ops.cluster;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.BoundedQuestions;
import io.galop.node.JsonAnswer;
import io.galop.node.Node;
import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.record.TopicFilter;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * {@code GET /topics?filter=…} or {@code ?part=…[&limit=…]}: topics with the beginnings of their
 * last values, as their owners have them; {@code ?topic=…} one with all of its value. {@code GET
 * /topics/history?topic=…[&limit=…]}: its newest records. So many questions at once; more get 503.
 * On the event loop of the port.
 */
public final class TopicsEndpoint {
  private static final String PATH = "/topics";
  private static final int MOST_UNDER_WAY = 4;
  private static final int MOST_TOPICS = 1_000;
  private static final int MOST_RECORDS = 1_000;
  private static final String ROW_BYTES = "200";
  private static final String VALUE_BYTES = "1048576";

  private final Vertx vertx;
  private final Node node;
  private final Loop loop;
  private final ClusterReports reports;
  private final BoundedQuestions questions;

  public TopicsEndpoint(Vertx vertx, Node node, Loop loop) {
    this.vertx = vertx;
    this.node = node;
    this.loop = loop;
    this.reports = new ClusterReports(vertx, node, loop);
    this.questions =
        new BoundedQuestions(
            MOST_UNDER_WAY,
            Counter.builder("galop.topics.refused")
                .description("Questions for topics that were refused, as too many were under way")
                .register(node.meters()));
  }

  /** Adds its routes. */
  public void mount(Router router) {
    router.get(PATH).handler(request -> bounded(request, () -> found(request)));
    router.get(PATH + "/history").handler(request -> bounded(request, () -> history(request)));
  }

  private void bounded(RoutingContext request, Supplier<Future<Buffer>> question) {
    if (keepers().isEmpty()) {
      JsonAnswer.refuse(
          request, 404, "role_missing", "this node reaches none that stores; ask one that does");
      return;
    }
    questions.answer(request, question);
  }

  private List<Member> keepers() {
    return reports.members().stream().filter(ClusterReports.with(Role.PERSIST)).toList();
  }

  private Future<Buffer> found(RoutingContext request) {
    int limit = limit(request, 200, MOST_TOPICS);
    Map<String, String> asked = new TreeMap<>();
    asked.put("limit", Integer.toString(limit));
    asked.put("dataBytes", request.queryParam("topic").isEmpty() ? ROW_BYTES : VALUE_BYTES);
    if (!request.queryParam("topic").isEmpty()) {
      asked.put("filter", topic(request));
    } else if (!request.queryParam("filter").isEmpty()) {
      asked.put("filter", filter(request.queryParam("filter").get(0)).toString());
    } else {
      asked.put("part", request.queryParam("part").stream().findFirst().orElse(""));
    }
    return reports
        .ask(ClusterReports.with(Role.PERSIST), NodeTopics.NAME, asked)
        .compose(answers -> onWorker(() -> joined(asked, answers, limit)));
  }

  private JsonObject joined(Map<String, String> asked, Answers answers, int limit) {
    FoundTopics all = new FoundTopics(limit);
    answers
        .given()
        .forEach(
            (name, answer) -> {
              answer
                  .getJsonArray("topics")
                  .forEach(topic -> ((JsonObject) topic).put("node", name));
              all.add(NodeTopics.owned(answer), answer);
            });
    JsonObject json = all.json();
    json.remove("owned");
    return json.put("nowMs", System.currentTimeMillis())
        .put("unowned", new JsonArray(all.unowned(NodeTopics.shards(asked, node))))
        .put("unanswered", Answers.unanswered(answers.unanswered()));
  }

  private Future<Buffer> history(RoutingContext request) {
    int limit = limit(request, 500, MOST_RECORDS);
    HistoryQuery query =
        new HistoryQuery(topic(request), Long.MIN_VALUE, Long.MAX_VALUE, limit, true, "");
    long storesMs = node.config().persist().history().storeTimeoutMs();
    Map<String, Page> pages = new TreeMap<>();
    Set<String> unanswered = new TreeSet<>();
    List<Future<?>> asked = new ArrayList<>();
    for (Member member : keepers()) {
      asked.add(
          loop.bring(node.bus().history().query(member.id(), query, storesMs))
              .onSuccess(page -> pages.put(member.name(), page))
              .onFailure(failure -> unanswered.add(member.name())));
    }
    return loop.bring(Future.join(asked).transform(done -> Future.succeededFuture()))
        .compose(done -> onWorker(() -> TopicHistory.json(pages, unanswered, limit)));
  }

  private Future<Buffer> onWorker(Supplier<JsonObject> json) {
    return loop.bring(vertx.executeBlocking(() -> json.get().toBuffer(), false));
  }

  private TopicFilter filter(String text) {
    return TopicFilter.parse(text, node.config().broadcast().maxFilterBytes());
  }

  private String topic(RoutingContext request) {
    List<String> given = request.queryParam("topic");
    if (given.size() != 1 || !filter(given.get(0)).isExact()) {
      throw new IllegalArgumentException("give one topic, without wildcards");
    }
    return given.get(0);
  }

  private static int limit(RoutingContext request, int otherwise, int most) {
    String text =
        request.queryParam("limit").stream().findFirst().orElse(Integer.toString(otherwise));
    if (text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= most) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException("limit must be a whole number from 1 to " + most);
  }
}
