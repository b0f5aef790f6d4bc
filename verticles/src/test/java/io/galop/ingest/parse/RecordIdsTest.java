package io.galop.ingest.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordIdsTest {
  @Test
  void countsInDigitsAndLetters() {
    RecordIds ids = new RecordIds();
    String first = ids.next();
    String start = first.substring(0, first.indexOf('-') + 1);
    assertEquals(start + "1", first);
    for (long count = 2; count <= 36 * 36 * 36 + 2; count++) {
      assertEquals(start + Long.toString(count, 36), ids.next());
    }
  }

  @Test
  void beginsElsewhereEachTime() {
    assertNotEquals(new RecordIds().next(), new RecordIds().next());
  }

  /** In MQTT 5 an id is in a property of the record: clients end the connection at such a text. */
  @ParameterizedTest
  @ValueSource(ints = {0, 0x1f, 0x7f, 0x85, 0x9f, 0xfdd0, 0xfffe, 0x1ffff})
  void whatMqttClientsRefuseIsRefused(int code) {
    String wrong = code < 0x100 ? "holds a control character" : "holds a noncharacter";
    assertEquals(wrong, RecordIds.wrong("a" + Character.toString(code), 256));
  }

  @Test
  void otherScriptsAreTaken() {
    assertEquals("", RecordIds.wrong("é日\ufeff\ufffd\ud83d\ude00", 256));
  }
}
