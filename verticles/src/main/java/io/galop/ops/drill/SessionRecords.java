package io.galop.ops.drill;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a subscriber with MQTT is sent, as a record is shown elsewhere: MQTT 3.1.1 shows no ids, so
 * the records of a round are known by their data. Used by one thread.
 */
final class SessionRecords {
  private final String idPrefix;
  private final long number;

  /** The ids of the round that were shown: at most as many as it has records. */
  private final Set<String> shown = new HashSet<>();

  /**
   * @param idPrefix of the ids of the round's records
   * @param number of the drill, which is in their data
   */
  SessionRecords(String idPrefix, long number) {
    this.idPrefix = idPrefix;
    this.number = number;
  }

  /**
   * A PUBLISH as the message of a record; what is none is handed on as it is.
   *
   * @param isRetained it is a last value. Those of the time before count for nothing. One of this
   *     round does, unless it was shown: what is placed right after a subscription was granted may
   *     be the last value by the time when the subscriber is shown that
   * @return empty: it counts for nothing
   */
  Optional<String> message(String payload, boolean isRetained) {
    JsonObject data;
    try {
      data = new JsonObject(payload);
    } catch (DecodeException none) {
      return isRetained ? Optional.empty() : Optional.of(payload);
    }
    String id = id(data);
    boolean isNew = id.isEmpty() || shown.add(id);
    return isRetained && (id.isEmpty() || !isNew)
        ? Optional.empty()
        : Optional.of(message(id, data));
  }

  /** Empty: it is none of this round. */
  private String id(JsonObject data) {
    String refused = data.containsKey("reason") ? data.getString("id", "") : "";
    if (refused.startsWith(idPrefix)) {
      return refused + "#0";
    }
    boolean isOfRound = data.getValue("drill") instanceof Number of && of.longValue() == number;
    return isOfRound ? idPrefix + data.getValue("part") : "";
  }

  private static String message(String id, JsonObject data) {
    JsonObject body = new JsonObject().put("id", id).put("data", data);
    return new JsonObject().put("type", "rec").put("body", body).encode();
  }
}
