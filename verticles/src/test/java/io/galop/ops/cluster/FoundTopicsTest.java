package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was found of topics in several places. */
class FoundTopicsTest {
  private static JsonObject topic(String name, String pos) {
    return new JsonObject().put("topic", name).put("pos", pos);
  }

  private static JsonObject found(JsonObject... topics) {
    return new JsonObject()
        .put("whole", true)
        .put("matched", topics.length)
        .put("topics", new JsonArray(List.of((Object[]) topics)));
  }

  @Test
  void keepsTheFirstByNameAndCountsAll() {
    FoundTopics all = new FoundTopics(2);
    all.add(List.of(1), found(topic("d", "1.1-1"), topic("a", "1.1-2")));
    all.add(List.of(2), found(topic("b", "2.1-1")));
    JsonObject json = all.json();
    assertEquals(3, json.getInteger("matched"));
    assertEquals(
        new JsonArray().add(topic("a", "1.1-2")).add(topic("b", "2.1-1")),
        json.getJsonArray("topics"));
    assertFalse(json.getBoolean("cut"));
    assertEquals(List.of(0, 3), all.unowned(new int[] {0, 1, 2, 3}));
  }

  /** A node that was thought gone may tell what it had. */
  @Test
  void theNewerCountsWhereTwoOwnAShard() {
    FoundTopics all = new FoundTopics(2);
    all.add(List.of(1), found(topic("a", "1.3-1")));
    all.add(List.of(1), found(topic("a", "1.2-900")));
    assertEquals(new JsonArray().add(topic("a", "1.3-1")), all.json().getJsonArray("topics"));
  }

  /** Its owner has answered, and has dropped nothing. */
  @Test
  void aShardWithoutTimeIsNeitherUnownedNorWithoutItsTopics() {
    FoundTopics all = new FoundTopics(2).add(List.of(0), found()).cut(1);
    assertTrue(all.json().getBoolean("cut"));
    assertTrue(all.json().getBoolean("whole"));
    assertEquals(List.of(), all.unowned(new int[] {0, 1}));
    FoundTopics joined = new FoundTopics(2).add(NodeTopics.owned(all.json()), all.json());
    assertTrue(joined.json().getBoolean("cut"), "as the node that is asked says it");
  }
}
