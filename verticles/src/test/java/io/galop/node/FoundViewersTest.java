package io.galop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Viewers that were found in several places, and what is asked for. */
class FoundViewersTest {
  private static JsonObject viewer(String id, long dropped, int gaps, int waiting) {
    return new JsonObject()
        .put("id", id)
        .put("dropped", dropped)
        .put("gaps", gaps)
        .put("waiting", waiting)
        .put("conflated", 0L)
        .put("published", 0L);
  }

  private static JsonObject found(int connections, JsonObject... viewers) {
    return new JsonObject()
        .put("connections", connections)
        .put("matched", viewers.length)
        .put("viewers", new JsonArray(List.of((Object[]) viewers)));
  }

  @Test
  void whoeverHasLostMostComesFirst() {
    FoundViewers all = new FoundViewers(3);
    JsonObject kept = viewer("kept", 0, 0, 0);
    all.add(found(7, kept, viewer("waits", 0, 0, 9)), one -> one.put("node", "a"));
    all.add(found(5, viewer("lost", 4, 0, 0), viewer("gap", 0, 5, 0)), one -> {});
    JsonObject json = all.json();
    assertEquals(12, json.getLong("connections"));
    assertEquals(4, json.getLong("matched"));
    List<String> ids =
        json.getJsonArray("viewers").stream()
            .map(one -> ((JsonObject) one).getString("id"))
            .toList();
    assertEquals(List.of("gap", "lost", "waits"), ids);
    assertEquals("a", json.getJsonArray("viewers").getJsonObject(2).getString("node"));
  }

  @Test
  void aQuestionIsReadAsItWasWritten() {
    ViewerQuestion asked =
        ViewerQuestion.of(Map.of("find", "a/+", "by", "topic", "limit", "7", "subjects", "true"));
    assertEquals(asked, ViewerQuestion.of(asked.parameters()));
    assertEquals("a/+", asked.topics().orElseThrow().toString());
    for (Map<String, String> wrong :
        List.of(
            Map.of("by", "x"),
            Map.of("limit", "0"),
            Map.of("limit", "501"),
            Map.of("by", "topic", "find", ""),
            Map.of("by", "topic", "find", "a/#/b"),
            Map.of("find", "x".repeat(4_097)))) {
      assertThrows(IllegalArgumentException.class, () -> ViewerQuestion.of(wrong), "" + wrong);
    }
  }
}
