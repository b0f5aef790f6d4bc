package io.galop.ops.cluster;

import io.galop.node.Node;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What this node is to each shard, by the name {@code shards}: {@code {"shards":[{"state":…},…]}},
 * in their order. From any thread.
 */
public final class NodeShards implements Reports.Report {
  static final String NAME = "shards";

  private final Node node;

  private NodeShards(Node node) {
    this.node = node;
  }

  /** Answers this node and others from now on. */
  public static void share(Node node) {
    node.reports().share(NAME, new NodeShards(node));
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    List<Future<JsonObject>> all = new ArrayList<>();
    for (int shard = 0; shard < node.bus().cluster().shards(); shard++) {
      all.add(
          node.reports()
              .find(NAME + "/" + shard)
              .map(report -> report.answer(parameters))
              .orElse(Future.succeededFuture(new JsonObject().put("state", "waiting"))));
    }
    return Future.all(all)
        .map(done -> new JsonObject().put(NAME, new JsonArray(done.<JsonObject>list())));
  }
}
