package io.galop.ops.cluster;

import io.galop.ops.cluster.ClusterReports.Answers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The minutes of all nodes as one Ledger: both sides of a border are counted by one process, so the
 * sums of all nodes balance where each of them does. Pure functions.
 */
final class ClusterLedger {
  /** What a line has beside the columns of its border. */
  private static final String SHARDS = "shards";

  private ClusterLedger() {}

  /**
   * {@code {"minutes":[…],"nodes":[…],"unanswered":[{"node":…,"why":…},…]}}, the oldest first.
   *
   * @param answers of the report {@code ledger}
   * @param limit most minutes, of which the last are taken
   */
  static JsonObject join(Answers answers, int limit) {
    Map<String, Map<String, List<JsonObject>>> minutes = new TreeMap<>();
    answers
        .given()
        .forEach(
            (node, ledger) -> {
              for (Object one : ledger.getJsonArray("minutes")) {
                JsonObject minute = (JsonObject) one;
                minutes
                    .computeIfAbsent(minute.getString("minute"), at -> new TreeMap<>())
                    .computeIfAbsent(node, of -> new ArrayList<>())
                    .add(minute);
              }
            });
    JsonArray told = new JsonArray();
    minutes.entrySet().stream()
        .skip(Math.max(0, minutes.size() - limit))
        .forEach(one -> told.add(minute(one.getKey(), one.getValue(), answers.given())));
    return new JsonObject()
        .put("minutes", told)
        .put("nodes", new JsonArray(List.copyOf(new TreeSet<>(answers.given().keySet()))))
        .put("unanswered", Answers.unanswered(answers.unanswered()));
  }

  /**
   * The one of a name.
   *
   * @param ofNodes a node has several of the name where its clock was set back: they add up
   */
  private static JsonObject minute(
      String at, Map<String, List<JsonObject>> ofNodes, Map<String, JsonObject> ledgers) {
    JsonObject stages = new JsonObject();
    long residual = 0;
    List<String> why = new ArrayList<>();
    for (Map.Entry<String, JsonObject> ledger : new TreeMap<>(ledgers).entrySet()) {
      String node = ledger.getKey();
      List<JsonObject> told = ofNodes.getOrDefault(node, List.of());
      for (JsonObject minute : told) {
        residual += minute.getLong("residual");
        if (!minute.getBoolean("settled")) {
          why.add(node + ": " + minute.getString("why"));
        }
        JsonObject counts = minute.getJsonObject("stages");
        counts.forEach(stage -> add(stages, node, stage.getKey(), (JsonObject) stage.getValue()));
      }
      if (told.isEmpty() && isToCome(at, ledger.getValue())) {
        why.add(node + ": it has not told the minute yet");
      }
    }
    JsonObject json =
        new JsonObject().put("minute", at).put("settled", why.isEmpty()).put("residual", residual);
    if (!why.isEmpty()) {
      json.put("why", String.join("; ", why));
    }
    return json.put("stages", stages);
  }

  /** A process has no minutes of before its start, and none that it still counts in. */
  private static boolean isToCome(String at, JsonObject ledger) {
    return at.compareTo(ledger.getString("first")) >= 0
        && at.compareTo(ledger.getString("next")) >= 0;
  }

  private static void add(JsonObject stages, String node, String stage, JsonObject counts) {
    JsonObject sums = stages.getJsonObject(stage);
    if (sums == null) {
      sums = new JsonObject();
      stages.put(stage, sums);
    }
    for (Map.Entry<String, Object> count : counts) {
      if (count.getValue() instanceof Number number) {
        long before = sums.getLong(count.getKey(), 0L);
        sums.put(count.getKey(), before + number.longValue());
      }
    }
    for (Object shard : counts.getJsonArray(SHARDS, new JsonArray())) {
      if (!sums.containsKey(SHARDS)) {
        sums.put(SHARDS, new JsonArray());
      }
      JsonObject named = new JsonObject().put("node", node).mergeIn((JsonObject) shard);
      sums.getJsonArray(SHARDS).add(named);
    }
  }
}
