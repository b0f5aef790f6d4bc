package io.galop.persist.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Record;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionTest {
  private static String of(int levels, String topic, long timeUs) {
    return new Partition(levels).of(new Record("id", topic, timeUs, new byte[0]));
  }

  @ParameterizedTest
  @CsvSource({
    "0, race/1/odds, date=1970-01-01/hour=00",
    "1, race/1/odds, prefix=race/date=1970-01-01/hour=00",
    "2, race/1/odds, prefix=race%2F1/date=1970-01-01/hour=00",
    "9, race/1/odds, prefix=race%2F1%2Fodds/date=1970-01-01/hour=00",
    "1, $alarm/x, prefix=%24alarm/date=1970-01-01/hour=00",
    "1, été, prefix=%C3%A9t%C3%A9/date=1970-01-01/hour=00",
    "2, ../.., prefix=..%2F../date=1970-01-01/hour=00",
  })
  void isNamedByLevelsOfTheTopic(int levels, String topic, String path) {
    assertEquals(path, of(levels, topic, 3_599_999_999L));
  }

  @ParameterizedTest
  @CsvSource({
    "-1, date=1969-12-31/hour=23",
    "3600000000, date=1970-01-01/hour=01",
    "1764201599999999, date=2025-11-26/hour=23",
    "253402300800000000, date=+10000-01-01/hour=00",
  })
  void isNamedByTheHourInUtc(long timeUs, String path) {
    assertEquals(path, of(0, "t", timeUs));
  }

  @Test
  void longNamesFitAndDiffer() {
    String same = "é".repeat(150);
    String one = of(1, same + "1", 0).split("/")[0];
    String two = of(1, same + "2", 0).split("/")[0];
    assertNotEquals(one, two);
    assertTrue(one.length() < 255, one);
  }

  @Test
  void aPartitionRemembersNothingButTheHour() {
    Partition partition = new Partition(1);
    for (long hour : Arrays.asList(1L, 2L, 1L)) {
      assertEquals(
          "prefix=t/date=1970-01-01/hour=0" + hour,
          partition.of(new Record("id", "t", hour * 3_600_000_000L, new byte[0])));
    }
  }
}
