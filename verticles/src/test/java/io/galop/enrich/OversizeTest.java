package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.enrich.step.EnrichMeters;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What no owner would take does not reach one, and holds up nothing behind it. */
class OversizeTest {
  private static final int LARGEST = 13_107;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private static Record record(String id, String value) {
    String data = new JsonObject().put("v", value).encode();
    return new Record(id, "plant/a", 7, data.getBytes(StandardCharsets.UTF_8));
  }

  private List<Record> fitting(List<Record> records) {
    return new Oversize(LARGEST, new EnrichMeters(registry)).fitting(records);
  }

  @Test
  void givesUpWhatIsTooLargeAndNothingElse() {
    Record large = record("large", "\u0001".repeat(LARGEST));
    Record small = record("small", "x");
    List<Record> out = fitting(List.of(large, small));
    assertSame(small, out.get(1));
    Record letter = out.get(0);
    assertEquals("$dead-letter/log/too-large", letter.topic());
    assertTrue(RecordCodec.approximateBytes(letter) <= LARGEST, letter::id);
    JsonObject data = new JsonObject(new String(letter.data(), StandardCharsets.UTF_8));
    assertEquals("large", data.getString("id"));
    assertEquals("plant/a", data.getString("topic"));
    assertEquals("too_large", data.getString("reason"));
    assertTrue(data.getJsonObject("data").getString("text").startsWith("{\"v\":"));
    assertEquals(1, registry.get("galop.enrich.dead.letters").counter().count());
  }

  /** It is on the drill's topic, and no letter of the users'. */
  @Test
  void refusesWhatADrillHasPlanted() {
    byte[] data = "{\"v\":1}".getBytes(StandardCharsets.UTF_8);
    Record other = new Record("other", "$drill/a/7", 7, data);
    Record planted = new Record("planted", "$drill/a/refused/7", 7, data);
    List<Record> out = fitting(List.of(other, planted));
    assertSame(other, out.get(0));
    assertEquals("$drill/a/refused/7", out.get(1).topic());
    assertEquals("planted#0", out.get(1).id());
    JsonObject letter = new JsonObject(new String(out.get(1).data(), StandardCharsets.UTF_8));
    assertEquals("planted", letter.getString("id"));
    assertEquals("too_large", letter.getString("reason"));
    assertEquals(0, registry.get("galop.enrich.dead.letters").counter().count());
    List<Record> users = List.of(new Record("users", "a/refused/7", 7, data));
    assertSame(users, fitting(users));
  }

  @Test
  void passesOnTheListThatFits() {
    List<Record> fitting = List.of(record("a", "x"));
    assertSame(fitting, fitting(fitting));
  }
}
