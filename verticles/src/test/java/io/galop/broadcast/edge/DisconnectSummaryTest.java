package io.galop.broadcast.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator is told of an order that nodes and relays have followed, or have not. */
class DisconnectSummaryTest {
  private final DisconnectSummary summary = new DisconnectSummary();

  private static JsonObject answer(int ended, JsonObject... relays) {
    return new JsonObject()
        .put("ended", ended)
        .put("saved", true)
        .put("asksForTokens", false)
        .put("relays", new JsonArray(List.of(relays)));
  }

  private static JsonObject relay(String address, String name) {
    return new JsonObject().put("relay", address).put("node", name);
  }

  private static JsonObject done(String address, String name, int ended, boolean isSaved) {
    return relay(address, name)
        .put("ended", ended)
        .put("saved", isSaved)
        .put("asksForTokens", true);
  }

  private static JsonObject away(String address, String name) {
    return relay(address, name).put("why", "there is no link to it");
  }

  private JsonObject told() {
    return summary.toJson("anna", 0);
  }

  private static JsonObject named(String name, int ended) {
    return new JsonObject().put("node", name).put("ended", ended);
  }

  @Test
  void aRelayThatSeveralNodesDialIsOne() {
    summary.add("a", answer(1, done("r:7900", "front", 2, true)));
    summary.add("b", answer(0, done("q:7900", "front", 0, true)));
    JsonObject told = told();
    assertEquals(3, told.getInteger("ended"));
    assertEquals(new JsonArray().add(named("a", 1)).add(named("b", 0)), told.getJsonArray("nodes"));
    assertEquals(new JsonArray().add(named("front", 2)), told.getJsonArray("relays"));
    assertEquals(new JsonArray(), told.getJsonArray("unanswered"));
    assertTrue(summary.hasSense());
  }

  @Test
  void oneWayToARelayIsEnough() {
    summary.add("a", answer(0, away("r:7900", "")));
    summary.add("b", answer(0, done("r:7900", "front", 1, true)));
    JsonObject told = told();
    assertEquals(new JsonArray().add(named("front", 1)), told.getJsonArray("relays"));
    assertEquals(new JsonArray(), told.getJsonArray("unanswered"));
  }

  @Test
  void aRelayThatNobodyReachesIsNamed() {
    summary.add("a", answer(0, away("r:7900", "front"), away("s:7900", "")));
    summary.addFailure("b", "it is gone");
    JsonObject told = told();
    assertEquals(new JsonArray(), told.getJsonArray("relays"));
    List<String> unanswered =
        told.getJsonArray("unanswered").stream()
            .map(one -> ((JsonObject) one).getString("node"))
            .toList();
    assertEquals(List.of("b", "front", "s:7900"), unanswered);
    assertTrue(summary.hasSense(), "they may ask for tokens");
  }

  @Test
  void whatARelayCannotSaveIsNamed() {
    summary.add("a", answer(0, done("r:7900", "front", 1, false)));
    assertEquals(new JsonArray().add("front"), told().getJsonArray("unsaved"));
  }

  /** A node of an older version says nothing of relays. */
  @Test
  void whereNobodyHasTokensItMakesNoSense() {
    JsonObject old = answer(0);
    old.remove("relays");
    summary.add("a", old);
    told();
    assertFalse(summary.hasSense());
  }
}
