package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.ops.cluster.ClusterReports.Unanswered;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Minutes of several nodes become one Ledger that names node, stage, minute and direction. */
class ClusterLedgerTest {
  private static final String FIRST = "2026-11-24T14:03:00Z";
  private static final String SECOND = "2026-11-24T14:04:00Z";
  private static final String THIRD = "2026-11-24T14:05:00Z";

  private static JsonObject minute(String at, JsonObject stages) {
    return new JsonObject()
        .put("minute", at)
        .put("settled", true)
        .put("residual", 0)
        .put("stages", stages);
  }

  private static JsonObject owner(long placed, long logged) {
    JsonObject line =
        new JsonObject()
            .put("placed", placed)
            .put("logged", logged)
            .put("lost", Math.max(0, placed - logged))
            .put("doubled", Math.max(0, logged - placed));
    if (placed != logged) {
      line.put(
          "shards",
          new JsonArray()
              .add(
                  new JsonObject()
                      .put("shard", 7)
                      .put("direction", placed > logged ? "lost" : "doubled")
                      .put("records", Math.abs(placed - logged))));
    }
    return new JsonObject().put("owner", line);
  }

  private static JsonObject ledger(String first, String next, JsonObject... minutes) {
    JsonArray all = new JsonArray();
    for (JsonObject minute : minutes) {
      all.add(minute);
    }
    return new JsonObject().put("minutes", all).put("first", first).put("next", next);
  }

  private static JsonObject join(Map<String, JsonObject> nodes) {
    return ClusterLedger.join(new Answers(nodes, Map.of()), 1_440);
  }

  private static JsonObject at(JsonObject ledger, int minute) {
    return ledger.getJsonArray("minutes").getJsonObject(minute);
  }

  @Test
  void minutesOfANameThatAClockHasHadTwiceAddUp() {
    JsonObject lost = minute(FIRST, owner(10, 8)).put("residual", 2);
    JsonObject sound = minute(FIRST, owner(4, 4));
    for (JsonObject ledger :
        new JsonObject[] {ledger(FIRST, SECOND, lost, sound), ledger(FIRST, SECOND, sound, lost)}) {
      JsonObject both = at(join(Map.of("a", ledger)), 0);
      assertEquals(2, both.getLong("residual"));
      JsonObject owner = both.getJsonObject("stages").getJsonObject("owner");
      assertEquals(14, owner.getLong("placed"));
      assertEquals(12, owner.getLong("logged"));
    }
  }

  @Test
  void sumsAndNodesThatLoseAreNamed() {
    JsonObject lost = minute(FIRST, owner(10, 8)).put("residual", 2);
    JsonObject doubled = minute(FIRST, owner(5, 6)).put("residual", 1);
    JsonObject sound = minute(FIRST, owner(4, 4));
    JsonObject all =
        at(
            join(
                Map.of(
                    "a", ledger(FIRST, SECOND, lost),
                    "b", ledger(FIRST, SECOND, doubled),
                    "c", ledger(FIRST, SECOND, sound))),
            0);
    assertTrue(all.getBoolean("settled"));
    assertEquals(3, all.getLong("residual"), "what one loses another's does not make up for");
    JsonObject sums = all.getJsonObject("stages").getJsonObject("owner");
    assertEquals(19, sums.getLong("placed"));
    assertEquals(18, sums.getLong("logged"));
    assertEquals(2, sums.getLong("lost"));
    assertEquals(1, sums.getLong("doubled"));
    assertEquals(
        new JsonArray()
            .add(
                new JsonObject()
                    .put("node", "a")
                    .put("shard", 7)
                    .put("direction", "lost")
                    .put("records", 2L))
            .add(
                new JsonObject()
                    .put("node", "b")
                    .put("shard", 7)
                    .put("direction", "doubled")
                    .put("records", 1L)),
        sums.getJsonArray("shards"));
  }

  @Test
  void aMinuteIsSettledWhenEachNodeThatWasThereHasToldIt() {
    JsonObject all =
        join(
            Map.of(
                "a",
                ledger(FIRST, THIRD, minute(FIRST, owner(1, 1)), minute(SECOND, owner(2, 2))),
                "late",
                ledger(FIRST, SECOND, minute(FIRST, owner(3, 3))),
                "young",
                ledger(
                    SECOND,
                    THIRD,
                    minute(SECOND, owner(0, 0))
                        .put("settled", false)
                        .put("why", "the node started in this minute"))));
    assertTrue(at(all, 0).getBoolean("settled"), "the young one was not there");
    assertEquals(4, at(all, 0).getJsonObject("stages").getJsonObject("owner").getLong("placed"));
    assertFalse(at(all, 1).getBoolean("settled"));
    assertEquals(
        "late: it has not told the minute yet; young: the node started in this minute",
        at(all, 1).getString("why"));
  }

  @Test
  void aMinuteThatANodeHasForgottenIsNotWaitedFor() {
    JsonObject all =
        join(
            Map.of(
                "a",
                ledger(FIRST, THIRD, minute(FIRST, owner(1, 1)), minute(SECOND, owner(2, 2))),
                "b",
                ledger(FIRST, THIRD, minute(SECOND, owner(3, 3)))));
    assertTrue(at(all, 0).getBoolean("settled"));
  }

  @Test
  void theLastMinutesAreTakenAndWhoIsSilentIsNamed() {
    Answers answers =
        new Answers(
            Map.of(
                "a", ledger(FIRST, THIRD, minute(FIRST, owner(1, 1)), minute(SECOND, owner(2, 2)))),
            Map.of("z", new Unanswered("it is late", "no_answer")));
    JsonObject all = ClusterLedger.join(answers, 1);
    assertEquals(1, all.getJsonArray("minutes").size());
    assertEquals(SECOND, at(all, 0).getString("minute"));
    assertEquals(new JsonArray().add("a"), all.getJsonArray("nodes"));
    assertEquals("z", all.getJsonArray("unanswered").getJsonObject(0).getString("node"));
  }
}
