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
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The topics of one shard that a filter means, or whose names have a part, with their last values,
 * by the name {@code topics/<shard>}: {@code {"owner":…,"whole":…,"matched":n,"topics":[{"topic":…,
 * "id":…,"timeUs":…,"pos":…,"data":text,"dataCut":…},…]}}, the first {@code limit} by name. Only
 * the owner knows them; {@code whole}, that it has forgotten none. Walks on the shard's event loop,
 * in short turns, for {@code withinMs} at most: then {@code cut} says that it has not seen all. One
 * topic is looked up.
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
    long withinMs = Long.parseLong(parameters.getOrDefault("withinMs", "1000"));
    Search search =
        new Search(
            meaning(parameters),
            System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMs),
            Integer.parseInt(parameters.getOrDefault("limit", "1")),
            Integer.parseInt(parameters.getOrDefault("dataBytes", "0")));
    Promise<JsonObject> found = Promise.promise();
    String one = exact(parameters);
    loop.later(() -> begin(search, one, found)); // never at once: shards of a loop come one by one
    return found.future();
  }

  private static Predicate<String> meaning(Map<String, String> parameters) {
    if (parameters.containsKey("filter")) {
      return TopicFilter.parse(parameters.get("filter"), Integer.MAX_VALUE)::matches;
    }
    String part = parameters.getOrDefault("part", "").toLowerCase(Locale.ROOT);
    return part.isEmpty() ? topic -> true : topic -> topic.toLowerCase(Locale.ROOT).contains(part);
  }

  /** The one topic that is asked for; empty: there may be several. */
  private static String exact(Map<String, String> parameters) {
    String filter = parameters.getOrDefault("filter", "");
    boolean isOne = !filter.isEmpty() && TopicFilter.parse(filter, Integer.MAX_VALUE).isExact();
    return isOne ? filter : "";
  }

  private void begin(Search search, String topic, Promise<JsonObject> found) {
    if (topic.isEmpty() || !(owner.state() instanceof Owning)) {
      walk(search, owner.memory().latest(), 0, found);
    } else {
      owner.memory().latest().get(topic).ifPresent(search::look);
      found.complete(search.json(true, owner.memory().knowsAllTopics()));
    }
  }

  private void walk(Search search, LatestTopics latest, int from, Promise<JsonObject> found) {
    if (!(owner.state() instanceof Owning) || owner.memory().latest() != latest) {
      found.complete(search.json(false, false)); // it may have gone meanwhile
      return;
    }
    LatestTopics.Some some = latest.some(from, TURN_BYTES);
    some.records().forEach(search::look);
    if (some.next() < 0) {
      found.complete(search.json(true, owner.memory().knowsAllTopics()));
    } else if (search.isOver()) {
      found.complete(search.json(true, owner.memory().knowsAllTopics()).put("cut", true));
    } else {
      loop.later(() -> walk(search, latest, some.next(), found));
    }
  }

  /** Keeps the first by name of those that match. */
  private static final class Search {
    private static final Comparator<Placed> BY_NAME =
        Comparator.comparing(placed -> placed.record().topic());

    private final Predicate<String> meaning;
    private final long endNanos;
    private final int limit;
    private final int dataBytes;
    private final PriorityQueue<Placed> first = new PriorityQueue<>(BY_NAME.reversed());
    private long matched;

    Search(Predicate<String> meaning, long endNanos, int limit, int dataBytes) {
      this.meaning = meaning;
      this.endNanos = endNanos;
      this.limit = limit;
      this.dataBytes = dataBytes;
    }

    boolean isOver() {
      return System.nanoTime() - endNanos > 0;
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

    /** So many bytes, or a few less: no character is cut. */
    private static int whole(byte[] utf8, int most) {
      int kept = most;
      while (kept > 0 && kept < utf8.length && (utf8[kept] & 0xC0) == 0x80) {
        kept--;
      }
      return kept;
    }

    private JsonObject json(Placed placed) {
      Record record = placed.record();
      byte[] data = record.data();
      int kept = whole(data, Math.min(data.length, dataBytes));
      return new AskedRecord(record.topic(), record.id(), record.timeUs(), placed.position())
          .json()
          .put("data", new String(Arrays.copyOf(data, kept), StandardCharsets.UTF_8))
          .put("dataCut", kept < data.length);
    }
  }
}
