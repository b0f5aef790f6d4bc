package io.galop.ops.cluster;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The topics of all shards that this node owns, as {@link FoundTopics} joins them, by the name
 * {@code topics}. Asks one shard after the other, so that no event loop has more than a turn of it
 * at a time, and for so long at most. So many questions at once; more are refused. From any thread.
 */
public final class NodeTopics implements Reports.Report {
  static final String NAME = "topics";

  private static final int MOST_UNDER_WAY = 4;

  /** Whoever asks waits for 5 s. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final Vertx vertx;
  private final Node node;
  private final AtomicInteger underWay = new AtomicInteger();

  private NodeTopics(Vertx vertx, Node node) {
    this.vertx = vertx;
    this.node = node;
  }

  /** Answers this node and others from now on. */
  public static void share(Vertx vertx, Node node) {
    node.reports().share(NAME, new NodeTopics(vertx, node));
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    int limit = Integer.parseInt(parameters.getOrDefault("limit", "1"));
    if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
      underWay.decrementAndGet();
      return Future.failedFuture(
          new Refusal(Why.BUSY, MOST_UNDER_WAY + " such questions are asked already; ask again"));
    }
    FoundTopics found = new FoundTopics(limit);
    Future<JsonObject> answer =
        Future.succeededFuture(found)
            .compose(begun -> walk(begun, parameters))
            .compose(all -> vertx.executeBlocking(all::json, false));
    return answer.onComplete(done -> underWay.decrementAndGet());
  }

  private Future<FoundTopics> walk(FoundTopics begun, Map<String, String> parameters) {
    long endNanos = System.nanoTime() + MOST_NANOS;
    Future<FoundTopics> walked = Future.succeededFuture(begun);
    for (int shard : shards(parameters, node)) {
      Optional<Reports.Report> report = node.reports().find(NAME + "/" + shard);
      if (report.isPresent()) {
        walked = walked.compose(found -> walk(found, shard, report.get(), parameters, endNanos));
      }
    }
    return walked;
  }

  private static Future<FoundTopics> walk(
      FoundTopics found,
      int shard,
      Reports.Report report,
      Map<String, String> parameters,
      long endNanos) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    if (leftMs <= 0) {
      return Future.succeededFuture(found.cut(shard));
    }
    Map<String, String> asked = new HashMap<>(parameters);
    asked.put("withinMs", Long.toString(leftMs));
    return report.answer(asked).map(one -> found.add(List.of(shard), one));
  }

  /** Where topics may be that are asked for: one topic is in one shard. */
  static int[] shards(Map<String, String> parameters, Node node) {
    String filter = parameters.getOrDefault("filter", "#");
    int count = node.bus().cluster().shards();
    return TopicFilter.parse(filter, Integer.MAX_VALUE).shards(count);
  }

  /** The shards that somebody who answered owns. */
  static List<Integer> owned(JsonObject answer) {
    JsonArray owned = answer.getJsonArray("owned", new JsonArray());
    return owned.stream().map(shard -> ((Number) shard).intValue()).toList();
  }
}
