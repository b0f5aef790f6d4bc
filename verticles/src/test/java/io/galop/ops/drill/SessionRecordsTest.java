package io.galop.ops.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What of a PUBLISH a drill's viewer with MQTT takes for a record of its round. */
class SessionRecordsTest {
  private static final boolean LAST_VALUE = true;
  private final SessionRecords records = new SessionRecords("drill-x-7-", 7);

  private static String record(int number, int part) {
    return "{\"drill\":%d,\"part\":%d}".formatted(number, part);
  }

  private Optional<String> id(String payload, boolean isRetained) {
    return records
        .message(payload, isRetained)
        .map(message -> new JsonObject(message).getJsonObject("body").getString("id"));
  }

  @Test
  void recordsOfTheRoundHaveTheirIds() {
    assertEquals(Optional.of("drill-x-7-0"), id(record(7, 0), false));
    assertEquals(Optional.of("drill-x-7-1"), id(record(7, 1), false));
    assertEquals(Optional.of(""), id(record(6, 0), false));
    assertEquals(Optional.of("no JSON"), records.message("no JSON", false));
  }

  /** Else a drill whose record comes between the grant and the last values fails for nothing. */
  @Test
  void aLastValueOfTheRoundIsARecordThatWasNotShownYet() {
    assertEquals(Optional.of("drill-x-7-0"), id(record(7, 0), LAST_VALUE));
    assertEquals(Optional.empty(), id(record(7, 0), LAST_VALUE));
    assertEquals(Optional.of("drill-x-7-0"), id(record(7, 0), false), "twice is a fault");
  }

  @Test
  void lastValuesOfTheTimeBeforeCountForNothing() {
    assertEquals(Optional.empty(), id(record(6, 0), LAST_VALUE));
    assertEquals(Optional.empty(), records.message("no JSON", LAST_VALUE));
  }

  @Test
  void deadLettersOfTheRoundAreKnownByWhatTheyName() {
    String letter = "{\"reason\":\"too_large\",\"id\":\"%s\"}";
    assertEquals(Optional.of("drill-x-7-0#0"), id(letter.formatted("drill-x-7-0"), LAST_VALUE));
    assertEquals(Optional.empty(), id(letter.formatted("drill-x-6-0"), LAST_VALUE));
    assertEquals(Optional.empty(), id(letter.formatted("drill-x-7-0"), LAST_VALUE));
  }
}
