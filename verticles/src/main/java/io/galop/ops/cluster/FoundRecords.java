package io.galop.ops.cluster;

import io.galop.node.AskedRecord;
import io.galop.record.Position;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The records that are explained: what all nodes found, each once, in the order of topic and id.
 *
 * @param all those of this page
 * @param hasMore whether there are others behind
 */
record FoundRecords(List<Finding> all, boolean hasMore) {
  /**
   * One of them.
   *
   * @param notAfterMs by when it was placed, milliseconds since 1970; 0 if nobody says
   * @param inMemory the nodes that have it in the RAM tier
   * @param times how often it was placed in its epoch, as far as a node has it in the RAM tier
   */
  record Finding(
      AskedRecord record,
      String data,
      boolean isCut,
      long notAfterMs,
      List<String> inMemory,
      int times) {}

  private static final Comparator<AskedRecord> ORDER =
      Comparator.comparing(AskedRecord::topic).thenComparing(AskedRecord::id);

  List<AskedRecord> records() {
    return all.stream().map(Finding::record).toList();
  }

  /**
   * What nodes have in memory.
   *
   * @param found answers of {@code explain/found} by node
   */
  static FoundRecords inMemory(Map<String, JsonObject> found, int limit) {
    Map<AskedRecord, Finding> merged = new TreeMap<>(ORDER);
    found.forEach((node, answer) -> addAll(merged, node, answer.getJsonArray("records")));
    return page(merged, limit);
  }

  /**
   * What stores have.
   *
   * @param searched answers of {@code explain/search} by node
   */
  static FoundRecords inStores(Map<String, JsonObject> searched, int limit) {
    Map<AskedRecord, Finding> merged = new TreeMap<>(ORDER);
    for (JsonObject answer : searched.values()) {
      for (Object store : answer.getJsonArray("stores")) {
        addAll(merged, "", ((JsonObject) store).getJsonArray("records", new JsonArray()));
      }
    }
    return page(merged, limit);
  }

  private static FoundRecords page(Map<AskedRecord, Finding> merged, int limit) {
    List<Finding> all = new ArrayList<>(merged.values());
    boolean hasMore = all.size() > limit;
    return new FoundRecords(List.copyOf(hasMore ? all.subList(0, limit) : all), hasMore);
  }

  private static void addAll(Map<AskedRecord, Finding> merged, String node, JsonArray records) {
    for (Object one : records) {
      JsonObject json = (JsonObject) one;
      Finding next =
          new Finding(
              AskedRecord.of(json),
              json.getString("data"),
              json.getBoolean("dataCut"),
              json.getLong("notAfterMs", 0L),
              node.isEmpty() ? List.of() : List.of(node),
              json.getInteger("times", 1));
      Finding before = merged.remove(next.record());
      Finding both = before == null ? next : join(before, next);
      merged.put(both.record(), both);
    }
  }

  /** Of several Positions the last one is what counts. */
  private static Finding join(Finding a, Finding b) {
    Position first = a.record().position();
    Finding newer = first.compareTo(b.record().position()) >= 0 ? a : b;
    TreeSet<String> nodes = new TreeSet<>(a.inMemory());
    nodes.addAll(b.inMemory());
    long earliest =
        a.notAfterMs() == 0 || b.notAfterMs() == 0
            ? a.notAfterMs() + b.notAfterMs()
            : Math.min(a.notAfterMs(), b.notAfterMs());
    int times = Math.max(a.times(), b.times());
    return new Finding(
        newer.record(), newer.data(), newer.isCut(), earliest, List.copyOf(nodes), times);
  }
}
