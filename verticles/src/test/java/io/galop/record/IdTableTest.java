package io.galop.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class IdTableTest {
  private static Record record(String id, String topic) {
    return new Record(id, topic, 1, new byte[] {'{', '}'});
  }

  @Test
  void numbersIdsOfTopicsInTheOrderOfTheirComing() {
    IdTable ids = new IdTable();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 10_000; i++) {
        assertEquals(i, ids.number(record("id" + i / 2, "t" + i % 2)), "round " + round);
      }
    }
    assertEquals(10_000, ids.size());
  }
}
