package io.galop.letter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.DeadLetterData;
import io.galop.record.Reason;
import io.galop.record.Record;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadLetterLineTest {
  private static final String SCRIPT = "$dead-letter/script/s";

  static byte[] data(String id, String topic, String data) {
    Record record = new Record(id, topic, 7, data.getBytes(UTF_8));
    return DeadLetterData.of(record, Reason.SCRIPT_FAILED, "boom");
  }

  private static DeadLetterLine letter(String id) {
    return DeadLetterLine.of(SCRIPT, data(id, "odds/raw", "{\"x\":1.50}"));
  }

  @ParameterizedTest
  @CsvSource({"a, 0, a~1", "a~1, 1, a~2", "a~x, 0, a~x~1", "c#2, 0, c.2~1", "~7, 0, ~7~1"})
  void theNextAttemptHasAnIdOfItsOwn(String id, long attempt, String next) {
    DeadLetterLine letter = letter(id);
    assertEquals(attempt, letter.attempt());
    assertEquals(next, letter.nextId());
    assertEquals(id, letter.id());
    assertFalse(letter.isNoRecord());
  }

  @Test
  void theOriginalGoesInAsItCame() {
    String line = "{\"topic\":\"odds/raw\",\"id\":\"a~1\",\"time\":7,\"data\":{\"x\":1.50}}\n";
    assertEquals(line, letter("a").toLine());
    String stored = "{\"id\":\"L\",\"topic\":\"%s\",\"time\":7,\"data\":".formatted(SCRIPT);
    String whole = stored + new String(data("a", "odds/raw", "{\"x\":1.50}"), UTF_8) + "}";
    assertEquals(line, DeadLetterLine.parse(whole.getBytes(UTF_8)).toLine());
  }

  @Test
  void ofALetterAboutALetterTheInnermostCounts() {
    String inner = new String(data("a", "odds/raw", "{\"x\":1}"), UTF_8);
    DeadLetterLine about = DeadLetterLine.of("$dead-letter/store/m", data("a#0", SCRIPT, inner));
    assertEquals("odds/raw\ta", about.recordName());
    assertEquals("{\"x\":1}", about.data());
  }

  @Test
  void whatIsNoWholeRecordIsKnown() {
    byte[] data = data("a", "odds/raw", "{}");
    assertTrue(DeadLetterLine.of("$dead-letter/kafka/plant", data).isNoRecord());
    assertTrue(DeadLetterLine.of("$dead-letter/log/too-large", data).isNoRecord());
    byte[] about = data("k#m", "$dead-letter/kafka/plant", new String(data, UTF_8));
    assertTrue(DeadLetterLine.ofData(about).isNoRecord());
    byte[] none = "{\"id\":\"a\"}".getBytes(UTF_8);
    assertThrows(IllegalArgumentException.class, () -> DeadLetterLine.ofData(none));
  }

  @Test
  void onlyTheLastFailureOfARecordCounts() {
    LatestLetters latest = new LatestLetters();
    List.of("b~1", "a", "b~10", "b", "b~2").forEach(id -> latest.add(letter(id)));
    latest.add(DeadLetterLine.of(SCRIPT, data("a", "odds/other", "{}")));
    List<String> next = latest.all().stream().map(DeadLetterLine::nextId).toList();
    assertEquals(List.of("b~11", "a~1", "a~1"), next);
    assertEquals(3, latest.size());
    assertEquals("b~10", latest.of(letter("b")).id());
    assertEquals("z", latest.of(letter("z")).id());
    latest.clear();
    assertEquals(0, latest.size());
  }
}
