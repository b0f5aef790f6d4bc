package io.galop.ops.cluster;

import io.galop.config.Role;
import io.galop.node.AskedRecord;
import io.galop.node.BoundedQuestions;
import io.galop.node.Node;
import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.ops.cluster.ClusterReports.Unanswered;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code GET /explain?id=…[&topic=…][&limit=…][&next=…]}: what all nodes know of a record and of
 * those that were made of it. Memory is searched first; where no node has the record there, and the
 * topic is given, the stores are, as far back as {@code hours}. So many questions at once; more get
 * 503. On the event loop of the port.
 */
public final class ExplainEndpoint {
  private static final String PATH = "/explain";
  private static final int MOST_UNDER_WAY = 2;

  private final Vertx vertx;
  private final Node node;
  private final ClusterReports reports;
  private final BoundedQuestions questions;

  public ExplainEndpoint(Vertx vertx, Node node, Loop loop) {
    this.vertx = vertx;
    this.node = node;
    this.reports = new ClusterReports(vertx, node, loop);
    this.questions =
        new BoundedQuestions(
            MOST_UNDER_WAY,
            Counter.builder("galop.explain.refused")
                .description("Records not explained, since too many were under way")
                .register(node.meters()));
  }

  /** Adds its route. */
  public void mount(Router router) {
    router.get(PATH).handler(this::explain);
  }

  /**
   * What all nodes know of a record, as {@code GET /explain} says it; for a part of the node, whose
   * questions come one at a time.
   */
  public Future<JsonObject> ask(String id, String topic) {
    ExplainQuery query =
        ExplainQuery.of(Map.of("id", id, "topic", topic), System.currentTimeMillis());
    return find(query).compose(found -> explained(query, found)).map(JsonObject::new);
  }

  private void explain(RoutingContext request) {
    questions.answer(
        request,
        () -> {
          Map<String, String> parameters = new HashMap<>();
          request.queryParams().forEach(parameters::put);
          ExplainQuery query = ExplainQuery.of(parameters, System.currentTimeMillis());
          return find(query).compose(found -> explained(query, found));
        });
  }

  /**
   * What is explained.
   *
   * @param searched answers of stores; none where memory had it
   */
  private record Found(FoundRecords findings, Answers inMemory, Answers searched) {}

  private Future<Found> find(ExplainQuery query) {
    return reports
        .ask(ClusterReports.with(Role.PERSIST), "explain/found", query.inMemory())
        .compose(
            inMemory -> {
              inMemory.given().forEach((name, answer) -> noteGap(name, answer, inMemory));
              FoundRecords findings = FoundRecords.inMemory(inMemory.given(), query.limit());
              Found found = new Found(findings, inMemory, Answers.NONE);
              return findings.all().isEmpty() && query.mayBeInStores()
                  ? search(query, inMemory)
                  : Future.succeededFuture(found);
            });
  }

  private static void noteGap(String name, JsonObject answer, Answers inMemory) {
    if (!answer.getBoolean("whole")) {
      inMemory
          .unanswered()
          .put(name, new Unanswered("it had no time to search all of its memory", "not_whole"));
    }
  }

  private Future<Found> search(ExplainQuery query, Answers inMemory) {
    return reports
        .ask(ClusterReports.with(Role.PERSIST), "explain/search", query.inStores())
        .map(
            searched ->
                new Found(
                    FoundRecords.inStores(searched.given(), query.limit()), inMemory, searched));
  }

  private Future<Buffer> explained(ExplainQuery query, Found found) {
    List<AskedRecord> records = found.findings().records();
    return records.isEmpty()
        ? onWorker(() -> query.notFound(found.inMemory(), found.searched(), isRelay()))
        : facts(query, records)
            .compose(
                facts ->
                    onWorker(
                        () ->
                            query.answer(
                                new Explanation(
                                        query.topic(),
                                        found.findings(),
                                        facts.ofShards(),
                                        facts.stores().result(),
                                        facts.shown().result(),
                                        facts.ofTopics(),
                                        names())
                                    .json(),
                                found.findings(),
                                found.inMemory())));
  }

  private boolean isRelay() {
    return node.config().broadcast().link().isGiven();
  }

  private interface Made {
    JsonObject make();
  }

  private Future<Buffer> onWorker(Made json) {
    return vertx.executeBlocking(() -> json.make().toBuffer(), false);
  }

  private Map<String, String> names() {
    Map<String, String> names = new HashMap<>();
    node.bus().cluster().members().forEach(member -> names.put(member.id(), member.name()));
    return names;
  }

  /** Answers that are under way. */
  private record Facts(
      Map<Integer, Future<Answers>> shards,
      Future<Answers> stores,
      Future<Answers> shown,
      Map<String, Future<Answers>> topics) {
    Map<Integer, Answers> ofShards() {
      return results(shards);
    }

    Map<String, Answers> ofTopics() {
      return results(topics);
    }

    private static <K> Map<K, Answers> results(Map<K, Future<Answers>> asked) {
      Map<K, Answers> all = new TreeMap<>();
      asked.forEach((key, answers) -> all.put(key, answers.result()));
      return all;
    }

    Future<Facts> known() {
      List<Future<?>> all = new ArrayList<>(shards.values());
      all.add(stores);
      all.add(shown);
      all.addAll(topics.values());
      return Future.join(all).map(this);
    }
  }

  private Future<Facts> facts(ExplainQuery query, List<AskedRecord> records) {
    Map<String, String> asked = Map.of(AskedRecord.PARAMETER, AskedRecord.parameter(records));
    Map<Integer, List<AskedRecord>> byShard = new TreeMap<>();
    Map<String, Future<Answers>> topics = new TreeMap<>();
    for (AskedRecord one : records) {
      byShard.computeIfAbsent(one.position().shard(), shard -> new ArrayList<>()).add(one);
      Optional<String> raw = Explanation.rawTopic(one, query.topic());
      raw.ifPresent(topic -> topics.computeIfAbsent(topic, this::steps));
    }
    Map<Integer, Future<Answers>> shards = new TreeMap<>();
    byShard.forEach((shard, some) -> shards.put(shard, shard(shard, some)));
    return new Facts(
            shards,
            reports.ask(ClusterReports.with(Role.PERSIST), "explain/stores", asked),
            reports.ask(ClusterReports.with(Role.BROADCAST), "explain/shown", asked),
            topics)
        .known();
  }

  private Future<Answers> steps(String topic) {
    return reports.ask(ClusterReports.with(Role.ENRICH), "explain/steps", Map.of("topic", topic));
  }

  private Future<Answers> shard(int shard, List<AskedRecord> records) {
    return reports.ask(
        ClusterReports.with(Role.PERSIST),
        "explain/shard/" + shard,
        Map.of(AskedRecord.PARAMETER, AskedRecord.parameter(records)));
  }
}
