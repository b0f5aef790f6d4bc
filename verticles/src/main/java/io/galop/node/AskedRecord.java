package io.galop.node;

import io.galop.record.Position;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A record about which an operator asks all nodes.
 *
 * @param timeUs its event time
 * @param position as whoever has it says
 */
public record AskedRecord(String topic, String id, long timeUs, Position position) {
  /** The parameter of a report that has them. */
  public static final String PARAMETER = "records";

  /** The most records of a question. */
  public static final int MOST = 100;

  /** As the parameter of a report. */
  public static String parameter(Collection<AskedRecord> records) {
    JsonArray all = new JsonArray();
    records.forEach(record -> all.add(record.json()));
    return all.encode();
  }

  /** {@code {"topic":…,"id":…,"timeUs":…,"pos":…}}, which the answers begin with. */
  public JsonObject json() {
    return new JsonObject()
        .put("topic", topic)
        .put("id", id)
        .put("timeUs", timeUs)
        .put("pos", position.toString());
  }

  /** The one of an object as {@link #json} makes it. */
  public static AskedRecord of(JsonObject json) {
    return new AskedRecord(
        json.getString("topic"),
        json.getString("id"),
        json.getLong("timeUs"),
        Position.parse(json.getString("pos")));
  }

  /**
   * Those of a question.
   *
   * @throws IllegalArgumentException if there are none, or too many
   */
  public static List<AskedRecord> of(Map<String, String> parameters) {
    List<AskedRecord> asked = new ArrayList<>();
    try {
      JsonArray all = new JsonArray(parameters.getOrDefault(PARAMETER, ""));
      for (int i = 0; i < all.size(); i++) {
        asked.add(of(all.getJsonObject(i)));
      }
    } catch (DecodeException | ClassCastException | NullPointerException wrong) {
      throw new IllegalArgumentException("records must be a list of records", wrong);
    }
    if (asked.isEmpty() || asked.size() > MOST) {
      throw new IllegalArgumentException("records must be 1 to " + MOST);
    }
    return asked;
  }
}
