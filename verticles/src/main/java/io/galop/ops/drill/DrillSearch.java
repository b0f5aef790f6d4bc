package io.galop.ops.drill;

import io.galop.bus.Refusal;
import io.galop.record.DeadLetterData;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an explanation of a record says of its Log and of the stores. Pure. */
final class DrillSearch {
  private static final String LETTERS = DeadLetterData.ROOT + "/";
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
    JsonObject record = itself(records);
    JsonObject logged = record.getJsonObject("logged", new JsonObject());
    boolean isLogged = logged.getBoolean("onDisk", false);
    return new DrillEvent.Looked(
        isLogged,
        lacking(record),
        letter(records),
        unknown(explained),
        record.getInteger("timesPlaced", 1));
  }

  private static List<DrillEvent.Unknown> unknown(JsonObject explained) {
    List<DrillEvent.Unknown> unknown = new ArrayList<>();
    for (Object each : explained.getJsonArray("unanswered", new JsonArray())) {
      JsonObject node = (JsonObject) each;
      boolean isSilent = Refusal.NO_ANSWER.equals(node.getString("reason"));
      String said = isSilent ? "" : node.getString("why");
      unknown.add(new DrillEvent.Unknown(node.getString("node"), said, 0));
    }
    return unknown;
  }

  /** Without dead letters, if anything else is there. */
  private static JsonObject itself(JsonArray records) {
    for (Object each : records) {
      JsonObject record = (JsonObject) each;
      if (!record.getString("topic").startsWith(LETTERS)) {
        return record;
      }
    }
    return records.getJsonObject(0);
  }

  /** What a step says of a record that it refused; a store does so behind all steps. */
  private static String letter(JsonArray records) {
    for (Object each : records) {
      JsonObject record = (JsonObject) each;
      String topic = record.getString("topic");
      if (topic.startsWith(LETTERS) && !topic.startsWith(LETTERS + "store/")) {
        String why = record.getBoolean("dataCut", false) ? "" : why(record.getString("data"));
        return "it became a dead letter on " + topic + why;
      }
    }
    return "";
  }

  private static String why(String data) {
    JsonObject letter = new JsonObject(data);
    return " (" + letter.getString("reason") + ", " + letter.getString("detail") + ")";
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
