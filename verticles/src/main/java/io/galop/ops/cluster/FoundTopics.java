package io.galop.ops.cluster;

import io.galop.record.Position;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Topics that were found in several places, as one: {@code {"owned":[shard,…],"whole":…,
 * "cut":…,"matched":n,"topics":[…]}}, the first by name. While two own a shard the newer record of
 * a topic counts. {@code cut} says that there was no time for all: then as many matched at least.
 * One thread at a time.
 */
final class FoundTopics {
  private final int limit;
  private final Set<Integer> owned = new TreeSet<>();
  private final TreeMap<String, JsonObject> topics = new TreeMap<>();
  private boolean isWhole = true;
  private boolean isCut;
  private long matched;

  FoundTopics(int limit) {
    this.limit = limit;
  }

  /**
   * Takes what was found in one place.
   *
   * @param shards of which its owner tells
   */
  FoundTopics add(List<Integer> shards, JsonObject found) {
    if (found.getBoolean("owner", true)) {
      owned.addAll(shards);
      isWhole &= found.getBoolean("whole");
      isCut |= found.getBoolean("cut", false);
      matched += found.getLong("matched");
      found.getJsonArray("topics").forEach(one -> add((JsonObject) one));
    }
    return this;
  }

  private void add(JsonObject found) {
    topics.merge(found.getString("topic"), found, FoundTopics::newer);
    if (topics.size() > limit) {
      topics.pollLastEntry();
    }
  }

  private static JsonObject newer(JsonObject a, JsonObject b) {
    return position(a).compareTo(position(b)) < 0 ? b : a;
  }

  private static Position position(JsonObject found) {
    return Position.parse(found.getString("pos"));
  }

  /** There was no time for a shard. */
  FoundTopics cut(int shard) {
    owned.add(shard);
    isCut = true;
    return this;
  }

  /** The shards that nobody who answered owns. */
  List<Integer> unowned(int[] shards) {
    return Arrays.stream(shards).filter(shard -> !owned.contains(shard)).boxed().toList();
  }

  JsonObject json() {
    return new JsonObject()
        .put("owned", new JsonArray(List.copyOf(owned)))
        .put("whole", isWhole)
        .put("cut", isCut)
        .put("matched", matched)
        .put("topics", new JsonArray(List.copyOf(topics.values())));
  }
}
