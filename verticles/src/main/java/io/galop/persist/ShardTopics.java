package io.galop.persist;

import io.galop.node.AskedRecord;
import io.galop.node.Reports;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.persist.ram.LatestTopics;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The topics of one shard that a filter means, or whose names have a part, with their last values,
 * by the name {@code topics/<shard>}: {@code {"owner":…,"whole":…,"matched":n,"topics":[{"topic":…,
 * "id":…,"timeUs":…,"pos":…,"data":text,"dataCut":…},…]}}, the first {@code limit} by name. Only
 * the owner knows them; {@code whole}, that it has forgotten none. Walks on the shard's event loop,
 * in short turns.
 */
final class ShardTopics implements Reports.Report {
  /** A fraction of a millisecond: a few hundred topics. */
  private static final int TURN_BYTES = 64 * 1024;

  private final Loop loop = Loop.current();
  private final ShardOwner owner;

  ShardTopics(ShardOwner owner) {
    this.owner = owner;
  }

  static String name(int shard) {
    return "topics/" + shard;
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    Search search =
        new Search(
            meaning(parameters),
            Integer.parseInt(parameters.getOrDefault("limit", "1")),
            Integer.parseInt(parameters.getOrDefault("dataBytes", "0")));
    Promise<JsonObject> found = Promise.promise();
    loop.later(() -> begin(search, found)); // never at once: shards of one loop come one by one
    return found.future();
  }

  private static Predicate<String> meaning(Map<String, String> parameters) {
    if (parameters.containsKey("filter")) {
      return TopicFilter.parse(parameters.get("filter"), Integer.MAX_VALUE)::matches;
    }
    String part = parameters.getOrDefault("part", "").toLowerCase(Locale.ROOT);
    return part.isEmpty() ? topic -> true : topic -> topic.toLowerCase(Locale.ROOT).contains(part);
  }

  private void begin(Search search, Promise<JsonObject> found) {
    if (owner.state() instanceof Owning) {
      walk(search, owner.memory().latest(), 0, found);
    } else {
      found.complete(search.json(false, false));
    }
  }

  private void walk(Search search, LatestTopics latest, int from, Promise<JsonObject> found) {
    LatestTopics.Some some = latest.some(from, TURN_BYTES);
    some.records().forEach(search::look);
    if (some.next() < 0) {
      found.complete(search.json(true, owner.memory().knowsAllTopics()));
    } else {
      loop.later(() -> walk(search, latest, some.next(), found));
    }
  }

  /** Keeps the first by name of those that match. */
  private static final class Search {
    private static final Comparator<Placed> BY_NAME =
        Comparator.comparing(placed -> placed.record().topic());

    private final Predicate<String> meaning;
    private final int limit;
    private final int dataBytes;
    private final PriorityQueue<Placed> first = new PriorityQueue<>(BY_NAME.reversed());
    private long matched;

    Search(Predicate<String> meaning, int limit, int dataBytes) {
      this.meaning = meaning;
      this.limit = limit;
      this.dataBytes = dataBytes;
    }

    void look(Placed placed) {
      if (!meaning.test(placed.record().topic())) {
        return;
      }
      matched++;
      if (first.size() < limit) {
        first.add(placed);
      } else if (BY_NAME.compare(placed, first.element()) < 0) {
        first.remove();
        first.add(placed);
      }
    }

    JsonObject json(boolean isOwner, boolean isWhole) {
      JsonArray topics = new JsonArray();
      first.stream().sorted(BY_NAME).forEach(placed -> topics.add(json(placed)));
      return new JsonObject()
          .put("owner", isOwner)
          .put("whole", isWhole)
          .put("matched", matched)
          .put("topics", topics);
    }

    private JsonObject json(Placed placed) {
      Record record = placed.record();
      byte[] data = record.data();
      int kept = Math.min(data.length, dataBytes);
      return new AskedRecord(record.topic(), record.id(), record.timeUs(), placed.position())
          .json()
          .put("data", new String(Arrays.copyOf(data, kept), StandardCharsets.UTF_8))
          .put("dataCut", kept < data.length);
    }
  }
}
