package io.galop.persist.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresReadsTest {
  @ParameterizedTest
  @CsvSource({"#,''", "+,''", "+/a,''", "a/#,a", "a/+,a/", "a/+/b/#,a/", "a/b/#,a/b"})
  void aFilterHasThePrefixOfAllItsTopics(String filter, String prefix) {
    assertEquals(prefix, PostgresReads.prefix(filter));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a/", "é", "\uD7FF", "\uD83D\uDC0E", "\uDBFF\uDFFF"})
  void theRangeHoldsAllThatBeginsWithThePrefix(String prefix) {
    String end = PostgresReads.behind(prefix);
    for (String more : new String[] {"", "/", "z", "\uFFFD", "\uD83D\uDC0E"}) {
      assertTrue(compare(prefix, prefix + more) <= 0);
      assertTrue(compare(prefix + more, end) < 0, prefix + more);
    }
    assertFalse(Arrays.equals(bytes(end), bytes(prefix)));
  }

  private static int compare(String a, String b) {
    return Arrays.compareUnsigned(bytes(a), bytes(b));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void questionMarksAreNumbered() {
    assertEquals("a $1 b $2", PostgresSession.numbered("a ? b ?"));
    assertEquals("none", PostgresSession.numbered("none"));
    assertEquals("$1", PostgresSession.numbered("?"));
  }

  @ParameterizedTest
  @CsvSource({
    "22001,true",
    "22021,true",
    "2200H,false",
    "23514,true",
    "54000,false",
    "P0001,true",
    "53100,false",
    "25006,false",
    "57P01,false",
    "57P03,false",
    "40P01,false",
    "08006,false",
    "'',false"
  })
  void onlyErrorsOfDataAreTheRecords(String state, boolean isAboutTheRecord) {
    assertEquals(isAboutTheRecord, PostgresErrors.isAboutTheRecord(state, ""));
  }

  @ParameterizedTest
  @CsvSource({
    "nbtutils.c,true", "indextuple.c,true", "to_tsany.c,true", "varsup.c,false",
    "multixact.c,false", "async.c,false", "md.c,false", "'',false"
  })
  void onlyLimitsOfValuesAreTheRecords(String source, boolean isAboutTheRecord) {
    assertEquals(isAboutTheRecord, PostgresErrors.isAboutTheRecord("54000", source));
    assertFalse(PostgresErrors.isAboutTheRecord("53100", source));
  }
}
