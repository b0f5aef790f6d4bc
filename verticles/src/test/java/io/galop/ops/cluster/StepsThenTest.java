package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepsThenTest {
  private static JsonArray history(String text) {
    JsonArray all = new JsonArray();
    for (String one : text.split(" ")) {
      String[] parts = one.split(":");
      all.add(
          new JsonObject()
              .put("version", parts[0])
              .put("begunMs", Long.parseLong(parts[1]))
              .put("settledMs", Long.parseLong(parts[2])));
    }
    return all;
  }

  /** Versions with the times at which the first and the last event loop had them. */
  @ParameterizedTest
  @CsvSource({
    "v1:10:10, 20, 30, v1",
    "v1:10:10, 10, 10, v1",
    "v1:10:10, 9, 30, ?",
    "v1:10:0, 20, 30, ?",
    "v1:10:15, 12, 30, ?",
    "v1:10:10 v2:40:45, 20, 39, v1",
    "v1:10:10 v2:40:45, 20, 40, v1 v2",
    "v1:10:10 v2:40:45, 41, 42, v1 v2",
    "v1:10:10 v2:40:45, 45, 60, v1 v2",
    "v1:10:10 v2:40:45, 46, 60, v2",
    "v1:10:10 v2:40:0, 460, 600, v1 v2",
    "v1:10:10 v2:40:0 v3:70:75, 80, 90, v3",
    "v1:10:10 v2:40:45 v3:70:75, 20, 90, v1 v2 v3",
    "v1:10:10 v2:40:45 v1:70:75, 80, 90, v1",
    "v1:10:10 v2:40:45 v1:70:75, 50, 60, v2",
    "v1:10:10 v1:40:45, 20, 90, v1",
  })
  void theVersionFollowsFromTheChanges(String changes, long fromMs, long toMs, String versions) {
    JsonObject then = StepsThen.then(history(changes), fromMs, toMs);
    if (versions.equals("?") || versions.contains(" ")) {
      assertFalse(then.getBoolean("known"));
      assertFalse(then.getString("because").isEmpty());
      String told = then.getJsonArray("versions", new JsonArray().add("?")).stream().toList() + "";
      assertEquals("[" + versions.replace(" ", ", ") + "]", told);
    } else {
      assertEquals(new JsonObject().put("version", versions), then);
    }
  }

  private static JsonObject at(long ms) {
    return new JsonObject().put("time", Instant.ofEpochMilli(ms).toString());
  }

  private static JsonObject of(StepsThen then, String node, JsonObject step) {
    return then.of(node, new JsonArray().add(step)).getJsonObject(0);
  }

  /** Clocks of several nodes may differ, so what is near a change is certain on one only. */
  @Test
  void clocksOfSeveralNodesAreToldApart() {
    JsonObject owner = new JsonObject().put("nodes", new JsonArray().add("a"));
    StepsThen then = new StepsThen(at(50_000).put("node", "a"), at(50_010), owner);
    long changedMs = 50_000 - StepsThen.BATCH_MS - 1;
    JsonObject step =
        new JsonObject()
            .put("step", "script")
            .put("history", history("v1:1:1 v2:" + changedMs + ":" + changedMs));
    assertEquals("v2", of(then, "a", step).getJsonObject("then").getString("version"));
    JsonObject other = of(then, "b", step);
    assertEquals(2, other.getJsonObject("then").getJsonArray("versions").size());
    assertFalse(other.containsKey("history"));
  }

  @Test
  void whatIsNotToldIsNotKnown() {
    JsonObject none = Explanation.unknown("old");
    JsonObject script = new JsonObject().put("step", "script").put("version", "v1");
    StepsThen then = new StepsThen(none, none, none);
    assertFalse(of(then, "a", script).getJsonObject("then").getBoolean("known"));
    script.put("history", history("v1:1:1"));
    assertFalse(of(then, "a", script).getJsonObject("then").getBoolean("known"));
    JsonObject drop = new JsonObject().put("step", "drop");
    assertEquals(drop, of(then, "a", drop));
  }
}
