package io.galop.ops.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ops.drill.CountedLetter.Found;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a drill makes of the minutes that nodes tell; they are named by their number here. */
class CountedLetterTest {
  @Test
  void nothingIsPlantedThatAnOlderNodeWouldShow() {
    JsonObject newer = new JsonObject().put("refusesDrills", true);
    assertTrue(CountedLetter.isRefusedByAll(Map.of("a", newer, "b", newer)));
    assertFalse(CountedLetter.isRefusedByAll(Map.of("a", newer, "b", told(1, 5))), "older");
    assertFalse(CountedLetter.isRefusedByAll(Map.of("a", newer, "b", new JsonObject())), "silent");
  }

  private static final long MINUTE_MS = 60_000;

  /** The drill's record is sent in minute 5 of both, and refused by one of them. */
  private static final CountedLetter LETTER =
      CountedLetter.before(Map.of("a", told(1, 5), "b", told(1, 4)))
          .after(Map.of("a", told(1, 5), "b", told(1, 5)), MINUTE_MS);

  private static String minute(int number) {
    return Instant.ofEpochMilli(number * MINUTE_MS).toString();
  }

  /** All minutes of a node from its first to the one before the next, without dead letters. */
  private static JsonObject told(int first, int next) {
    JsonArray minutes = new JsonArray();
    for (int i = first; i < next; i++) {
      minutes.add(
          new JsonObject()
              .put("minute", minute(i))
              .put("settled", true)
              .put("stages", new JsonObject()));
    }
    return new JsonObject()
        .put("minutes", minutes)
        .put("first", minute(first))
        .put("next", minute(next));
  }

  private static JsonObject with(JsonObject told, int number, String column) {
    JsonObject counts = new JsonObject().put("in", 1).put(column, 1);
    minuteOf(told, number).getJsonObject("stages").put("enrich", counts);
    return told;
  }

  private static JsonObject minuteOf(JsonObject told, int number) {
    return told.getJsonArray("minutes").stream()
        .map(JsonObject.class::cast)
        .filter(one -> one.getString("minute").equals(minute(number)))
        .findFirst()
        .orElseThrow();
  }

  private static Found look(JsonObject a, JsonObject b) {
    return LETTER.look(Map.of("a", a, "b", b));
  }

  @Test
  void isFoundOnceItsMinuteIsTold() {
    assertEquals(Found.NOT_YET, look(told(1, 5), told(1, 5)));
    assertEquals(Found.YES, look(told(1, 5), with(told(1, 6), 5, "deadLetters")));
    assertEquals(Found.YES, LETTER.look(Map.of("b", with(told(1, 6), 5, "deadLetters"))));
  }

  @Test
  void isMissedOnlyWhenAllMinutesAreTold() {
    assertEquals(Found.NOT_YET, look(told(1, 14), told(1, 13)));
    assertEquals(Found.NO, look(told(1, 14), told(1, 14)));
    assertEquals(Found.NO, look(told(1, 14), with(told(1, 14), 5, "out")));
  }

  @Test
  void whatWasCountedBeforeTheDrillIsNotItsLetter() {
    JsonObject before = with(told(1, 14), 3, "deadLetters");
    assertEquals(Found.NO, look(with(told(1, 14), 4, "deadLetters"), before));
  }

  @Test
  void isNotKnownWhereAMinuteHasNotSettled() {
    JsonObject stoodStill = told(1, 14);
    minuteOf(stoodStill, 6).put("settled", false);
    assertEquals(Found.UNKNOWN, look(told(1, 14), stoodStill));
    assertEquals(Found.NOT_YET, look(told(1, 13), stoodStill));
    JsonObject before = told(1, 14);
    minuteOf(before, 3).put("settled", false);
    assertEquals(Found.NO, look(told(1, 14), before));
  }

  @Test
  void isNotKnownWhereItsMinuteIsNotToldAnyMore() {
    JsonObject late = told(1, 60);
    for (int i = 1; i < 28; i++) {
      late.getJsonArray("minutes").remove(0);
    }
    assertEquals(Found.UNKNOWN, look(late, told(1, 60)));
  }

  @Test
  void isNotKnownWhereANodeCameOrBeganAnew() {
    assertEquals(Found.UNKNOWN, look(told(1, 14), told(6, 14)));
    Map<String, JsonObject> three = new HashMap<>();
    three.put("a", told(1, 14));
    three.put("b", told(1, 14));
    three.put("c", told(1, 14));
    assertEquals(Found.UNKNOWN, LETTER.look(three));
  }

  @Test
  void aNodeThatDoesNotAnswerIsWaitedFor() {
    assertEquals(Found.NOT_YET, LETTER.look(Map.of("a", told(1, 14))));
    assertEquals(Found.NOT_YET, LETTER.look(Map.of()));
    assertEquals(Found.NOT_YET, look(told(1, 14), new JsonObject()));
    assertEquals(Found.YES, look(with(told(1, 6), 5, "deadLetters"), new JsonObject()));
  }

  /** It may be the one that has counted. */
  @Test
  void isNotKnownWhereANodeDidNotAnswerInTime() {
    Map<String, JsonObject> all = Map.of("a", told(1, 14), "b", told(1, 14));
    Map<String, JsonObject> silent = Map.of("a", told(1, 5), "b", new JsonObject());
    CountedLetter before = CountedLetter.before(silent).after(all, MINUTE_MS);
    assertEquals(Found.UNKNOWN, before.look(all));
    assertEquals(Found.UNKNOWN, CountedLetter.before(all).after(silent, MINUTE_MS).look(all));
    CountedLetter nobody = CountedLetter.before(Map.of()).after(Map.of(), MINUTE_MS);
    assertEquals(Found.UNKNOWN, nobody.look(Map.of()));
    CountedLetter half =
        CountedLetter.before(Map.of("a", told(1, 5)))
            .after(Map.of("a", told(1, 5), "b", told(1, 5)), MINUTE_MS);
    assertEquals(Found.UNKNOWN, half.look(Map.of("a", told(1, 14))));
  }
}
