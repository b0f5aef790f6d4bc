package io.galop.ops.cluster;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Topics that were found in several places, as one: {@code {"owned":[shard,…],"whole":…,
 * "matched":n,"topics":[…]}}, the first by name. One thread at a time.
 */
final class FoundTopics {
  private final int limit;
  private final Set<Integer> owned = new TreeSet<>();
  private final List<JsonObject> topics = new ArrayList<>();
  private boolean isWhole = true;
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
      matched += found.getLong("matched");
      found.getJsonArray("topics").forEach(one -> topics.add((JsonObject) one));
    }
    return this;
  }

  /** There was no time for all of it. */
  FoundTopics cut() {
    isWhole = false;
    return this;
  }

  /** The shards that nobody who answered owns. */
  List<Integer> unowned(int[] shards) {
    return Arrays.stream(shards).filter(shard -> !owned.contains(shard)).boxed().toList();
  }

  JsonObject json() {
    JsonArray first = new JsonArray();
    topics.stream()
        .sorted(Comparator.comparing(one -> one.getString("topic")))
        .limit(limit)
        .forEach(first::add);
    return new JsonObject()
        .put("owned", new JsonArray(List.copyOf(owned)))
        .put("whole", isWhole)
        .put("matched", matched)
        .put("topics", first);
  }
}
