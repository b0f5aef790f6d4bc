package io.galop.loadtest.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StampTest {
  private static List<String> found(String frame) {
    List<String> found = new ArrayList<>();
    Stamp.scan(Buffer.buffer(frame), (number, due) -> found.add(number + " " + due));
    return found;
  }

  @Test
  void dataIsJsonOfTheWantedSize() {
    String data = Stamp.data(17, 123_456_789L, 290);
    assertEquals(290, data.length());
    assertEquals("17.123456789", new JsonObject(data).getString("galopStamp"));
  }

  @Test
  void stampsAreFoundQuotedAndEscapedAndMerged() {
    String one = Stamp.data(1, 1_000, 100);
    String two = Stamp.data(2, 2_000, 100);
    assertEquals(List.of("1 1000"), found("{\"type\":\"rec\",\"body\":" + one + "}"));
    assertEquals(
        List.of("1 1000", "2 2000"), found("a[" + Json.encode(one) + "," + Json.encode(two) + "]"));
  }

  @Test
  void otherFramesHaveNone() {
    assertEquals(List.of(), found("{\"type\":\"pong\"}"));
    assertEquals(List.of(), found(""));
  }
}
