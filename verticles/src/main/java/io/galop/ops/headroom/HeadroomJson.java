package io.galop.ops.headroom;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Headroom as nodes answer it. */
public final class HeadroomJson {
  private static final String PERCENT = "utilisationPercent";
  private static final int ALL = 100;

  private HeadroomJson() {}

  /**
   * {@code {"utilisationPercent":…,"headroomPercent":…,"next":…,"reason":…,"stages":[…],"log":{…}}}
   * of one node. Without a stage there is no {@code next}; {@code log.fullInSeconds} is there while
   * the Log grows towards its end.
   */
  public static JsonObject of(Headroom headroom, OptionalLong fullInSeconds) {
    JsonArray stages = new JsonArray();
    headroom
        .stages()
        .forEach(
            one ->
                stages.add(
                    new JsonObject()
                        .put("stage", one.stage().word())
                        .put(PERCENT, one.percent())
                        .put("measure", one.measure())
                        .put("reason", one.reason())));
    int used = headroom.next().map(Headroom.OfStage::percent).orElse(0);
    JsonObject json = new JsonObject().put(PERCENT, used).put("headroomPercent", ALL - used);
    headroom
        .next()
        .ifPresent(next -> json.put("next", next.stage().word()).put("reason", next.reason()));
    JsonObject log = new JsonObject();
    fullInSeconds.ifPresent(seconds -> log.put("fullInSeconds", seconds));
    return json.put("stages", stages).put("log", log);
  }

  /**
   * Those of all nodes: {@code {"node":…,"utilisationPercent":…,"next":…,"nodes":[…]}}. The cluster
   * is as full as its fullest node, which is named.
   *
   * @param nodes what each answered, by its name
   */
  public static JsonObject join(Map<String, JsonObject> nodes) {
    JsonArray all = new JsonArray();
    JsonObject joined = new JsonObject().put(PERCENT, 0);
    new TreeMap<>(nodes)
        .forEach(
            (name, one) -> {
              all.add(new JsonObject().put("node", name).mergeIn(one));
              int used = one.getInteger(PERCENT, 0);
              if (!joined.containsKey("node") || used > joined.getInteger(PERCENT)) {
                joined.put("node", name).put(PERCENT, used).put("next", one.getString("next"));
              }
            });
    return joined.put("nodes", all);
  }
}
