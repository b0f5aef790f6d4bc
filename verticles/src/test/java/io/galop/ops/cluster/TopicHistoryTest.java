package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.bus.Page;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The pages of several nodes become one history, without holes. */
class TopicHistoryTest {
  private static Placed placed(long timeUs) {
    Record record = new Record("r" + timeUs, "t", timeUs, "{}".getBytes());
    return new Placed(new Position(0, 1, timeUs), record);
  }

  private static Page page(String next, long... timesUs) {
    List<Placed> records = Arrays.stream(timesUs).mapToObj(TopicHistoryTest::placed).toList();
    return new Page(true, Position.none(0), next, records, List.of());
  }

  private static List<Long> times(JsonObject json) {
    return json.getJsonArray("records").stream()
        .map(one -> ((JsonObject) one).getLong("timeUs"))
        .toList();
  }

  @Test
  void eachRecordIsThereOnceAndTheNewestFirst() {
    JsonObject json =
        TopicHistory.json(Map.of("a", page("", 9, 7, 5), "b", page("", 8, 7)), Set.of(), 10);
    assertEquals(List.of(9L, 8L, 7L, 5L), times(json));
    assertEquals(false, json.getBoolean("more"));
  }

  @Test
  void nothingIsShownFromBehindAPageThatGoesOn() {
    JsonObject json =
        TopicHistory.json(Map.of("a", page("on", 9, 7), "b", page("", 8, 3)), Set.of("c"), 10);
    assertEquals(List.of(9L, 8L, 7L), times(json));
    assertEquals(true, json.getBoolean("more"));
    assertEquals(new JsonArray().add("c"), json.getJsonArray("missing"));
    JsonObject none = TopicHistory.json(Map.of("a", page("on")), Set.of(), 10);
    assertEquals(true, none.getBoolean("more"));
  }

  @Test
  void noMoreThanTheLimit() {
    JsonObject json = TopicHistory.json(Map.of("a", page("", 9, 7, 5)), Set.of(), 2);
    assertEquals(List.of(9L, 7L), times(json));
    assertEquals(true, json.getBoolean("more"));
  }
}
