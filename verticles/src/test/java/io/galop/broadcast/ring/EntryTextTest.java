package io.galop.broadcast.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a browser reads of a record. */
class EntryTextTest {
  private static final Position POSITION = new Position(15, 1_700_000_000_123L, 9_876_543_210L);

  private static String text(Record record) {
    return new String(EntryText.of(POSITION, record), StandardCharsets.UTF_8);
  }

  /** The whole message, which is an object with the entry's text as its end. */
  private static JsonObject message(Record record) {
    return new JsonObject("{\"body\":" + text(record));
  }

  private static Record record(String id, String topic, long timeUs, String data) {
    return new Record(id, topic, timeUs, data.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void hasAllOfTheRecordInTheOrderOfTheProtocol() {
    assertEquals(
        "{\"id\":\"a-1\",\"time\":1700000000123456,\"data\":{\"é\":[1, 2]}},"
            + "\"headers\":{\"topic\":\"odds/ascot\",\"pos\":\"15.1700000000123-9876543210\"}}",
        text(record("a-1", "odds/ascot", 1_700_000_000_123_456L, "{\"é\":[1, 2]}")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\", "\u0001\u001f\t\n", "pâté", "a\"é\\😀\u2028", "plain\u007f"})
  void idsAndTopicsAreStringsWhateverIsInThem(String text) {
    JsonObject read = message(record(text, "t/" + text, 1, "{}"));
    assertEquals(text, read.getJsonObject("body").getString("id"));
    assertEquals("t/" + text, read.getJsonObject("headers").getString("topic"));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 9, 10, 99, 100, -1, -1_000_000, Long.MAX_VALUE, Long.MIN_VALUE})
  void timesAreNumbers(long timeUs) {
    JsonObject body = message(record("i", "t", timeUs, "{}")).getJsonObject("body");
    assertEquals(timeUs, body.getLong("time"));
  }

  @Test
  void longIdsHaveRoom() {
    String id = "\u0007é".repeat(3_000);
    String topic = "\"".repeat(3_000);
    JsonObject read = message(record(id, topic, 7, "{}"));
    assertEquals(id, read.getJsonObject("body").getString("id"));
    assertEquals(topic, read.getJsonObject("headers").getString("topic"));
  }
}
