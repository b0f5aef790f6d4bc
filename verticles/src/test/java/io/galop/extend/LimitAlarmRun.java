package io.galop.extend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The example in any language: records go in by HTTP, alarms are seen by a browser and found in
 * history, and are the same whatever the language.
 */
public final class LimitAlarmRun {
  private static final String SETTINGS = "settings: {filter: sensor/#, field: value, limit: '80'}";

  /** Topic, event time, value. */
  private static final Object[][] INPUTS = {
    {"sensor/a", 1_000_001L, 79.5},
    {"sensor/a", 1_000_002L, 80},
    {"sensor/a", 1_000_003L, 80.5},
    {"sensor/b", 1_000_004L, 99},
    {"sensor/a", 1_000_005L, 120},
    {"other/a", 1_000_006L, 500},
    {"sensor/a", 1_000_007L, 12},
    {"sensor/b", 1_000_008L, -4},
  };

  private static final List<String> ALARMS =
      List.of(
          "alarm/sensor/a alarm:r3 1000003 {\"state\":\"high\",\"value\":80.5,\"limit\":80}",
          "alarm/sensor/a alarm:r7 1000007 {\"state\":\"normal\",\"value\":12,\"limit\":80}",
          "alarm/sensor/b alarm:r4 1000004 {\"state\":\"high\",\"value\":99,\"limit\":80}",
          "alarm/sensor/b alarm:r8 1000008 {\"state\":\"normal\",\"value\":-4,\"limit\":80}");

  private LimitAlarmRun() {}

  /** Runs the example under the name that the configuration has for it. */
  public static void run(Path directory, String name, int instances) throws Exception {
    String verticles = "[{name: '%s', instances: %d, %s}]".formatted(name, instances, SETTINGS);
    try (VerticleNode node = VerticleNode.start(directory, verticles, "persist.cold.every=1")) {
      BlockingQueue<JsonObject> seen = node.watch("alarm/#");
      node.publish(lines());
      List<String> live = new ArrayList<>();
      for (int i = 0; i < ALARMS.size(); i++) {
        JsonObject message = seen.poll(60, TimeUnit.SECONDS);
        assertEquals(false, message == null, "only " + live);
        live.add(
            shown(
                message.getJsonObject("headers").getString("topic"),
                message.getJsonObject("body")));
      }
      live.sort(String::compareTo);
      assertEquals(ALARMS, live);
      List<String> stored =
          node.history("alarm/#", ALARMS.size()).stream()
              .map(record -> shown(record.getString("topic"), record))
              .sorted()
              .toList();
      assertEquals(ALARMS, stored);
      node.awaitCount(name, "published", ALARMS.size());
      node.awaitCount(name, "consumed", INPUTS.length - 1);
      assertEquals(0, node.status(name).getLong("errors"));
      assertEquals(instances, node.status(name).getLong("instances"));
    }
  }

  private static List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Object[] input : INPUTS) {
      lines.add(
          new JsonObject()
              .put("topic", input[0])
              .put("id", "r" + (lines.size() + 1))
              .put("time", input[1])
              .put("data", new JsonObject().put("value", input[2]))
              .encode());
    }
    return lines;
  }

  private static String shown(String topic, JsonObject record) {
    return "%s %s %d %s"
        .formatted(
            topic,
            record.getString("id"),
            record.getLong("time"),
            record.getJsonObject("data").encode());
  }
}
