package io.galop.ops.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class HourTest {
  private final Hour hour = new Hour();

  private static JsonObject status(long timeMs, long taken) {
    return new JsonObject()
        .put("timeMs", timeMs)
        .put("records", new JsonObject().put("taken", taken))
        .put("sinks", new JsonArray().add(lag(3)).add(lag(8)))
        .put(
            "latencyMs",
            new JsonObject()
                .put("placed", new JsonObject().put("p99", 1.5))
                .put("screen", new JsonObject().put("p99", 20.25)));
  }

  private static JsonObject lag(long bytes) {
    return new JsonObject().put("lagBytes", bytes);
  }

  private Object cell(int row, String figure) {
    JsonObject all = hour.json();
    int column = all.getJsonArray("figures").getList().indexOf(figure);
    return all.getJsonArray("rows").getJsonArray(row).getValue(column);
  }

  @Test
  void keepsTheFiguresOfAStatus() {
    hour.put(status(1_000, 7));
    assertEquals(1_000L, cell(0, "timeMs"));
    assertEquals(7L, cell(0, "taken"));
    assertEquals(0L, cell(0, "sent"), "of a node without viewers");
    assertEquals(8L, cell(0, "storeLagBytes"));
    assertEquals(20_250L, cell(0, "latestP99Us"));
  }

  @Test
  void theNewestTakesThePlaceOfTheOldest() {
    for (int i = 0; i < Hour.ROWS + 3; i++) {
      hour.put(status(i * 5_000L, i));
    }
    assertEquals(Hour.ROWS, hour.json().getJsonArray("rows").size());
    assertEquals(3L, cell(0, "taken"));
    assertEquals(Hour.ROWS + 2L, cell(Hour.ROWS - 1, "taken"));
  }

  @Test
  void aRowIsDueAfterFiveSecondsOrWhenTheClockWasSetBack() {
    assertTrue(hour.isDue(0));
    hour.put(status(100_000, 0));
    assertFalse(hour.isDue(101_000));
    assertTrue(hour.isDue(105_000));
    assertTrue(hour.isDue(10_000));
  }
}
