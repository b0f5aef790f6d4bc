package io.galop.ops.cluster;

import io.galop.bus.Page;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The newest records of a topic, of the pages of several nodes: {@code {"records":[{"id":…,
 * "timeUs":…,"pos":…,"data":text},…],"more":…,"missing":[name,…]}}, the newest first and each once.
 * Pure functions.
 */
final class TopicHistory {
  /** Of all data together, but at least one record; the page of each node has twice as many. */
  private static final int MOST_BYTES = 2 * 1024 * 1024;

  private static final Comparator<Placed> NEWEST_FIRST =
      Comparator.<Placed>comparingLong(placed -> placed.record().timeUs())
          .thenComparing(placed -> placed.record().id())
          .reversed();

  private TopicHistory() {}

  /**
   * Puts the first pages of nodes together.
   *
   * @param pages by the name of the node, the newest record first
   * @param unanswered names of nodes that did not answer
   */
  static JsonObject json(Map<String, Page> pages, Collection<String> unanswered, int limit) {
    Map<String, Placed> byId = new HashMap<>();
    TreeSet<String> missing = new TreeSet<>(unanswered);
    long sinceUs = Long.MIN_VALUE;
    for (Map.Entry<String, Page> one : pages.entrySet()) {
      Page page = one.getValue();
      page.missing().forEach(store -> missing.add(one.getKey() + "/" + store));
      page.records()
          .forEach(placed -> byId.merge(placed.record().id(), placed, TopicHistory::later));
      sinceUs = Math.max(sinceUs, since(page));
    }
    List<Placed> all = new ArrayList<>(byId.values());
    all.sort(NEWEST_FIRST);
    JsonArray records = new JsonArray();
    int bytes = 0;
    for (Placed placed : all) {
      bytes += placed.record().data().length;
      boolean isBeyond = records.size() == limit || bytes > MOST_BYTES && !records.isEmpty();
      if (isBeyond || placed.record().timeUs() < sinceUs) {
        break;
      }
      records.add(json(placed));
    }
    boolean hasMore = sinceUs > Long.MIN_VALUE || records.size() < all.size();
    return new JsonObject()
        .put("records", records)
        .put("more", hasMore)
        .put("missing", new JsonArray(List.copyOf(missing)));
  }

  /** What is older than the end of a page that is not the last one may lack records in between. */
  private static long since(Page page) {
    if (page.next().isEmpty()) {
      return Long.MIN_VALUE;
    }
    List<Placed> records = page.records();
    return records.isEmpty() ? Long.MAX_VALUE : records.get(records.size() - 1).record().timeUs();
  }

  private static Placed later(Placed a, Placed b) {
    return a.position().compareTo(b.position()) < 0 ? b : a;
  }

  private static JsonObject json(Placed placed) {
    Record record = placed.record();
    return new JsonObject()
        .put("id", record.id())
        .put("timeUs", record.timeUs())
        .put("pos", placed.position().toString())
        .put("data", new String(record.data(), StandardCharsets.UTF_8));
  }
}
