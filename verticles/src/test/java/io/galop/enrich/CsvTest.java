package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.enrich.Csv.BrokenTable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTest {
  private static List<List<String>> read(String text) {
    return Csv.read(text).stream().map(Csv.Row::cells).toList();
  }

  @Test
  void readsQuotesLineEndsAndTheByteOrderMark() {
    assertEquals(
        List.of(List.of("id", "name"), List.of("1", "a, \"b\"\r\nc"), List.of("", " d ")),
        read("\ufeffid,name\r\n1,\"a, \"\"b\"\"\r\nc\"\n, d "));
    assertEquals(List.of(List.of("a"), List.of("")), read("a\n\"\"\n"));
    assertEquals(List.of(List.of("a", ""), List.of("", "")), read("a,\r\n,\r\n"));
    assertEquals(List.of(), read(""));
  }

  @Test
  void numbersRowsByTheLineTheyBeginOn() {
    List<Csv.Row> rows = Csv.read("a\n\"1\n2\"\n3\n");
    assertEquals(List.of(1, 2, 4), rows.stream().map(Csv.Row::line).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`a,b\n1`          | line 2: has 1 cells, the first line has 2",
        "`a\n\n1`          | ok",
        "`a\n1\n\"x`       | line 3: a quote is opened and never closed",
        "`a\n\"x\"y`       | line 2: a comma or the end of the line must follow",
        "`a\nx\"y`         | line 2: a cell that holds a quote must stand in quotes"
      })
  void saysWhichLineIsBrokenAndHow(String text, String expected) {
    if (expected.equals("ok")) {
      assertEquals(3, read(text).size());
      return;
    }
    String message = assertThrows(BrokenTable.class, () -> Csv.read(text)).getMessage();
    assertEquals(expected, message.substring(0, Math.min(expected.length(), message.length())));
  }
}
