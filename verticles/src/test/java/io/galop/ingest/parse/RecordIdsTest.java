package io.galop.ingest.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

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
}
