package io.galop.ops.cluster;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which version of a script a record met, from the changes of versions that a node remembers and
 * from when the record was on its way. Pure functions.
 *
 * @param taken when the door took a record of its Batch, and on which node; may not be known
 * @param placed when the owner placed it; may not be known
 * @param owner which nodes own its shard; may not be known
 */
record StepsThen(JsonObject taken, JsonObject placed, JsonObject owner) {
  /** Records of one Batch may be taken so far apart, as its stamp is of any one of them. */
  static final long BATCH_MS = 2_000;

  /** The same where the clocks of several nodes are compared, which may differ too. */
  static final long CLOCKS_MS = 5_000;

  /** The steps of a node, each script with its version of then in place of the changes. */
  JsonArray of(String node, JsonArray steps) {
    JsonArray all = new JsonArray();
    for (Object one : steps) {
      JsonObject step = ((JsonObject) one).copy();
      JsonArray history = (JsonArray) step.remove("history");
      if (step.getString("step").equals("script")) {
        step.put("then", history == null ? untold() : then(node, history));
      }
      all.add(step);
    }
    return all;
  }

  private static JsonObject untold() {
    return Explanation.unknown(
        "the node is of an older version, or several of its steps have that file");
  }

  private JsonObject then(String node, JsonArray history) {
    if (!taken.containsKey("time") || !placed.containsKey("time")) {
      return Explanation.unknown("it is not remembered when the record was on its way");
    }
    long slackMs = isOfOneClock(node) ? BATCH_MS : CLOCKS_MS;
    return then(history, ms(taken) - slackMs, ms(placed) + slackMs);
  }

  private boolean isOfOneClock(String node) {
    return node.equals(taken.getString("node"))
        && new JsonArray().add(node).equals(owner.getJsonArray("nodes"));
  }

  private static long ms(JsonObject fact) {
    return Instant.parse(fact.getString("time")).toEpochMilli();
  }

  /**
   * The version between two times: {@code {"version":…}}, or why it is one of several.
   *
   * @param history changes, the oldest first; an event loop has a version from some moment between
   *     {@code begunMs} and {@code settledMs} on
   */
  static JsonObject then(JsonArray history, long fromMs, long toMs) {
    long reachesMs = history.getJsonObject(0).getLong("settledMs");
    if (reachesMs == 0 || reachesMs > fromMs) {
      return Explanation.unknown(
          "the node remembers its versions since it started, and the last ones only; the first is of "
              + Instant.ofEpochMilli(history.getJsonObject(0).getLong("begunMs")));
    }
    Set<String> versions = new LinkedHashSet<>();
    Set<String> changed = new TreeSet<>();
    for (int i = 0; i < history.size(); i++) {
      long begunMs = history.getJsonObject(i).getLong("begunMs");
      if (begunMs <= toMs && endMs(history, i) >= fromMs) {
        versions.add(history.getJsonObject(i).getString("version"));
        if (i > 0 && endMs(history, i - 1) >= fromMs) {
          changed.add(Instant.ofEpochMilli(begunMs).toString());
        }
      }
    }
    return versions.size() == 1
        ? new JsonObject().put("version", versions.iterator().next())
        : Explanation.unknown(
                "it changed at %s, about when the record was on its way"
                    .formatted(String.join(", ", changed)))
            .put("versions", new JsonArray(versions.stream().toList()));
  }

  /** Until when an event loop may have had a version: each takes the changes in their order. */
  private static long endMs(JsonArray history, int index) {
    long endMs = Long.MAX_VALUE;
    for (int i = index + 1; i < history.size(); i++) {
      long settledMs = history.getJsonObject(i).getLong("settledMs");
      endMs = settledMs == 0 ? endMs : Math.min(endMs, settledMs);
    }
    return endMs;
  }
}
