package io.galop.loadtest.inject;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.loadtest.scenario.DoorWord;
import io.galop.loadtest.scenario.Injection;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Records are JSON of the size that was asked for, with their topic, number and time. */
class TemplateTest {
  @Test
  void writesALine() {
    Template lines = LinesLane.lines(new Injection(DoorWord.TCP_NDJSON, 1, 290, 1_000, 0));
    byte[] out = new byte[lines.length()];
    assertEquals(out.length, lines.write(12_345, 987_654_321, out, 0));
    String line = new String(out, StandardCharsets.US_ASCII);
    JsonObject record = new JsonObject(line);
    assertEquals("load/000345", record.getString("topic"));
    JsonObject data = record.getJsonObject("data");
    assertEquals("0000012345.0000000000987654321", data.getString("galopStamp"));
    assertEquals(112, data.getInteger("price"));
    String text = line.substring(line.indexOf("\"data\":") + 7, line.length() - 2);
    assertEquals(290, text.length());
  }
}
