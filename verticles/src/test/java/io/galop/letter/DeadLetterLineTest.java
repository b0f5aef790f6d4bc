package io.galop.letter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.letter.LatestLetters.Attempt;
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
    return data(id, topic, data, 7);
  }

  private static byte[] data(String id, String topic, String data, long timeUs) {
    Record record = new Record(id, topic, timeUs, data.getBytes(UTF_8));
    return DeadLetterData.of(record, Reason.SCRIPT_FAILED, "boom");
  }

  private static DeadLetterLine letter(String id) {
    return DeadLetterLine.of(SCRIPT, data(id, "odds/raw", "{\"x\":1.50}"));
  }

  private static String next(String id, String... others) {
    LatestLetters latest = new LatestLetters();
    DeadLetterLine letter = letter(id);
    latest.add(letter);
    List.of(others).forEach(other -> latest.add(letter(other)));
    return latest.next(letter).id();
  }

  @ParameterizedTest
  @CsvSource({"a, a~1", "a~x, a~x~1", "c#2, c.2~1", "~7, ~7~1", "a~0, a~0~1", "a~01, a~01~1"})
  void theNextAttemptHasAnIdOfItsOwn(String id, String next) {
    assertEquals(next, next(id));
    assertEquals(next, next(id, "a"), "whatever else was read");
    assertEquals(id, letter(id).id());
    assertFalse(letter(id).isNoRecord());
  }

  /** A publisher may count its own records so. */
  @Test
  void whatEndsLikeAnAttemptIsOneOnlyOfARecordThatWasRead() {
    assertEquals("sensor~1~1", next("sensor~1", "sensor~2"));
    assertEquals("sensor~2~1", next("sensor~2", "sensor~1"));
    assertEquals("sensor~1~2", next("sensor~1", "sensor~2", "sensor~1~1"));
    assertEquals("a~3", next("a~2", "a"));
    assertEquals("a~3", next("a", "a~2"));
    assertEquals("a~1~2", next("a", "a~1", "a~1~1"), "driven once without what was before");
    LatestLetters latest = new LatestLetters();
    DeadLetterLine later = DeadLetterLine.of(SCRIPT, data("a~1", "odds/raw", "{}", 8));
    DeadLetterLine elsewhere = DeadLetterLine.of(SCRIPT, data("a~1", "odds/x", "{}", 7));
    List.of(letter("a"), later, elsewhere).forEach(latest::add);
    assertEquals("a~1~1", latest.next(later).id(), "an attempt has the time of the first");
    assertEquals("a~1~1", latest.next(elsewhere).id(), "and its topic");
    assertEquals("a~1", latest.next(letter("a")).id());
    assertTrue(latest.isUncertain(later));
    assertFalse(latest.isUncertain(letter("a")));
  }

  @Test
  void ofLettersThatWereSentItIsKnownThatTheyWereRead() {
    LatestLetters latest = new LatestLetters();
    latest.add(letter("a"));
    latest.clear();
    latest.add(letter("a~1"));
    assertEquals(List.of("a~2"), latest.all().stream().map(Attempt::id).toList());
  }

  @Test
  void theOriginalGoesInAsItCame() {
    String line = "{\"topic\":\"odds/raw\",\"id\":\"a~1\",\"time\":7,\"data\":{\"x\":1.50}}\n";
    assertEquals(line, letter("a").toLine("a~1"));
    String stored = "{\"id\":\"L\",\"topic\":\"%s\",\"time\":7,\"data\":".formatted(SCRIPT);
    String whole = stored + new String(data("a", "odds/raw", "{\"x\":1.50}"), UTF_8) + "}";
    assertEquals(line, DeadLetterLine.parse(whole.getBytes(UTF_8)).toLine("a~1"));
  }

  @Test
  void ofALetterAboutALetterTheInnermostCounts() {
    String inner = new String(data("a", "odds/raw", "{\"x\":1}"), UTF_8);
    DeadLetterLine about = DeadLetterLine.of("$dead-letter/store/m", data("a#0", SCRIPT, inner));
    assertEquals("odds/raw a", about.topic() + " " + about.doorId());
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
    List<String> next = latest.all().stream().map(Attempt::id).toList();
    assertEquals(List.of("b~11", "a~1", "a~1"), next);
    assertEquals(6, latest.size());
    assertEquals("b~10", latest.next(letter("b")).letter().id());
    assertEquals("z~1", latest.next(letter("z")).id());
    latest.clear();
    assertEquals(0, latest.size());
  }
}
