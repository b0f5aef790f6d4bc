package io.galop.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTimeTest {
  // 2013-12-02T21:15:00Z is 1386018900 s since the epoch, by date(1).
  @ParameterizedTest
  @CsvSource({
    "2013-12-02 21:15:00, 1386018900000000",
    "2013-12-02T21:15:00Z, 1386018900000000",
    "2013-12-02T22:15:00+01:00, 1386018900000000",
    "2013-12-02T21:15:00.000001, 1386018900000001",
    "2013-12-02, 1385942400000000",
    "1386018900, 1386018900000000",
    "1386018900.25, 1386018900250000",
    "1386018900123, 1386018900123000",
    "1386018900123456, 1386018900123456",
    "0, 0"
  })
  void readsTimes(String text, long us) {
    assertEquals(us, EventTime.parseUs(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "noon", "2013-13-02 21:15:00", "1386018900123456789", "21:15"})
  void refusesOthers(String text) {
    assertThrows(IllegalArgumentException.class, () -> EventTime.parseUs(text));
  }

  @Test
  void saysWhatIsExpected() {
    Exception wrong = assertThrows(IllegalArgumentException.class, () -> EventTime.parseUs("noon"));
    assertEquals(
        "'noon' is no time: expected ISO 8601, as in 2013-12-02 21:15:00, or a number since the"
            + " epoch",
        wrong.getMessage());
  }
}
