package io.galop.ops.cluster;

import io.galop.ops.cluster.ClusterReports.Answers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which node owns each shard, of what all nodes say: {@code
 * {"shards":[{"shard":n,"owner":name,"state":words,"epoch":…,"onDisk":position,
 * "followers":[name,…],"copy":name},…],"unanswered":[…]}}. Pure functions.
 *
 * @param due the name of the node that should own each shard, by the rule that all nodes have
 * @param names of nodes by their ids
 */
record ShardMap(List<Optional<String>> due, Map<String, String> names, Answers answers) {
  private static final String OWNED = "owned";

  JsonObject json() {
    JsonArray shards = new JsonArray();
    for (int shard = 0; shard < due.size(); shard++) {
      shards.add(row(shard).put("shard", shard));
    }
    return new JsonObject()
        .put("shards", shards)
        .put("unanswered", Answers.unanswered(answers.unanswered()));
  }

  private JsonObject row(int shard) {
    Map<String, JsonObject> owners = new TreeMap<>();
    answers
        .given()
        .forEach(
            (name, answer) -> {
              JsonObject one = answer.getJsonArray("shards").getJsonObject(shard);
              if (one.getString("state").equals(OWNED)) {
                owners.put(name, one);
              }
            });
    if (owners.isEmpty()) {
      return unowned(shard);
    }
    Map.Entry<String, JsonObject> first = newest(owners);
    JsonObject row = first.getValue().copy().put("owner", first.getKey());
    JsonArray followers = new JsonArray();
    row.getJsonArray("followers").stream()
        .map(id -> names.getOrDefault((String) id, (String) id))
        .sorted()
        .forEach(followers::add);
    row.put("followers", followers);
    return owners.size() == 1
        ? row
        : row.put("state", "owned by several: " + String.join(", ", owners.keySet()));
  }

  private static Map.Entry<String, JsonObject> newest(Map<String, JsonObject> owners) {
    return owners.entrySet().stream()
        .max(Map.Entry.comparingByValue((a, b) -> Long.compare(epoch(a), epoch(b))))
        .orElseThrow();
  }

  private static long epoch(JsonObject one) {
    return one.getLong("epoch");
  }

  private JsonObject unowned(int shard) {
    Optional<String> name = due.get(shard);
    if (name.isEmpty()) {
      return new JsonObject().put("state", "no node that stores is there");
    }
    JsonObject answer = answers.given().get(name.get());
    return new JsonObject()
        .put("due", name.get())
        .put(
            "state",
            answer == null
                ? "no answer from " + name.get()
                : answer.getJsonArray("shards").getJsonObject(shard).getString("state"));
  }
}
