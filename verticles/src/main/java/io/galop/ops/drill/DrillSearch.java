package io.galop.ops.drill;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an explanation of a record says of its Log and of the stores. Pure. */
final class DrillSearch {
  private static final String SAMPLED = "sampling left it out";

  private DrillSearch() {}

  /**
   * @param explained as {@code GET /explain} answers
   */
  static DrillEvent.Looked of(JsonObject explained) {
    JsonArray records = explained.getJsonArray("records", new JsonArray());
    if (records.isEmpty()) {
      return new DrillEvent.Looked(false, List.of());
    }
    JsonObject record = records.getJsonObject(0);
    JsonObject logged = record.getJsonObject("logged", new JsonObject());
    List<String> lacking = lacking(record);
    for (Object each : explained.getJsonArray("unanswered", new JsonArray())) {
      JsonObject node = (JsonObject) each;
      lacking.add("what " + node.getString("node") + " has (" + node.getString("why") + ")");
    }
    return new DrillEvent.Looked(logged.getBoolean("onDisk", false), lacking);
  }

  /** Several nodes may have a store of the same name; one of them fills it with this record. */
  private static List<String> lacking(JsonObject record) {
    Map<String, String> stores = new TreeMap<>();
    for (Object each : record.getJsonArray("stores", new JsonArray())) {
      JsonObject store = (JsonObject) each;
      String why = store.getString("because", "");
      boolean isFine = store.getBoolean("holds", false) || why.startsWith(SAMPLED);
      String now = isFine ? "" : why;
      stores.merge(store.getString("store"), now, (one, other) -> one.isEmpty() ? one : other);
    }
    List<String> lacking = new ArrayList<>();
    stores.forEach(
        (name, why) -> {
          if (!why.isEmpty()) {
            lacking.add("store " + name + " (" + why + ")");
          }
        });
    return lacking;
  }
}
