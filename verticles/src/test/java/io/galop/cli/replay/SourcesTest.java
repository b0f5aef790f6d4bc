package io.galop.cli.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.input.LineReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourcesTest {
  private static LineReader lines(String text) {
    return new LineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), 1_000);
  }

  private static Source csv(String text, String... map) throws IOException {
    return new CsvSource(lines(text), Columns.parse(List.of(map)));
  }

  private static Source json(String text, String... map) {
    return new JsonLinesSource(lines(text), Columns.parse(List.of(map)));
  }

  /** Items as "line time data" or "line problem". */
  private static List<String> read(Source source) throws IOException {
    List<String> all = new ArrayList<>();
    for (Source.Item item = source.next(); item != null; item = source.next()) {
      if (item instanceof Source.Entry entry) {
        String time = entry.timeUs() == Source.NO_TIME ? "-" : Long.toString(entry.timeUs());
        String data = new String(entry.data(), StandardCharsets.UTF_8);
        all.add(entry.line() + " " + time + " " + data);
      } else if (item instanceof Source.Malformed bad) {
        all.add(bad.line() + " " + bad.problem());
      }
    }
    return all;
  }

  @Test
  void columnsBecomeFieldsAndTimestampTheTime() throws IOException {
    assertEquals(
        List.of("2 1386018900000000 {\"value\":73.96732207}", "3 1386019200000000 {\"value\":1e5}"),
        read(csv("timestamp,value\r\n2013-12-02 21:15:00,73.96732207\r\n1386019200,1e5\r\n")));
  }

  @Test
  void whatIsNoJsonNumberStaysText() throws IOException {
    assertEquals(
        List.of("2 - {\"a\":\"007\",\"b\":-0.5,\"c\":\"NaN\"}", "3 - {\"c\":\"+1\"}"),
        read(csv("a,b,c\n007,-0.5,NaN\n,,+1\n")));
  }

  @Test
  void quotedFieldsMayHoldEverything() throws IOException {
    assertEquals(
        List.of("2 - {\"a\":\"x,\\\"y\\\"\\nz\",\"b\":1}", "4 - {\"a\":\"q\",\"b\":2}"),
        read(csv("a,b\n\"x,\"\"y\"\"\nz\",1\nq,2\n")));
  }

  @Test
  void aQuoteThatIsNeverClosedCostsOnlyItsLine() throws IOException {
    assertEquals(
        List.of(
            "2 has a double quote that is not closed",
            "3 - {\"a\":1,\"b\":2}",
            "4 - {\"a\":3,\"b\":4}"),
        read(csv("a,b\n\"x,1\n1,2\n3,4\n")));
  }

  @Test
  void badCsvLinesNameTheRuleAndTheOthersFlowOn() throws IOException {
    assertEquals(
        List.of(
            "2 has 3 fields, the header has 2",
            "3 has a double quote inside a field that does not begin with one in field 1",
            "4 has something between a closing double quote and the comma in field 2",
            "6 1000000 {\"b\":2}",
            "7 'noon' is no time: expected ISO 8601, as in 2013-12-02 21:15:00, or a number since"
                + " the epoch"),
        read(csv("time,b\n1,2,3\n4\"\"4,1\n1,\"2\"x\n\n1,2\nnoon,3\n")));
  }

  @Test
  void mappingPicksAndRenamesColumns() throws IOException {
    assertEquals(
        List.of("2 5000000 {\"celsius\":21}"),
        read(csv("when,t,x\n5,21,9\n", "time=when", "celsius=t")));
  }

  @Test
  void aColumnThatIsNotThereIsNamed() {
    Exception wrong =
        assertThrows(IllegalArgumentException.class, () -> csv("a,b\n1,2\n", "time=c"));
    assertEquals("the header has no column 'c'; it has a, b", wrong.getMessage());
  }

  @Test
  void aColumnThatIsThereTwiceIsNotLost() throws IOException {
    for (String[] map : new String[][] {{}, {"celsius=b"}, {"time=b"}}) {
      Exception wrong =
          assertThrows(IllegalArgumentException.class, () -> csv("a,b,b\n1,2,3\n", map));
      assertEquals(
          "the header has the column 'b' more than once; rename the others", wrong.getMessage());
    }
    assertEquals(List.of("2 - {\"v\":1}"), read(csv("a,b,b\n1,2,3\n", "v=a")));
    assertEquals(List.of("2 - {\"a\":1}"), read(csv("a,,\n1,,\n")), "as spreadsheets save them");
  }

  @Test
  void skippingCountsLinesAsTheyAreNumbered() throws IOException {
    Source source = csv("a\n\"x\ny\"\nz\n");
    source.skipTo(2);
    assertEquals(List.of("4 - {\"a\":\"z\"}"), read(source));
  }

  @Test
  void anObjectPerLineIsTakenByteForByte() throws IOException {
    assertEquals(
        List.of("1 1497351220318000 {\"op\": \"mcm\", \"pt\":1497351220318, \"x\":1.50}", "3 - {}"),
        read(json("{\"op\": \"mcm\", \"pt\":1497351220318, \"x\":1.50}\n\n{}\n")));
  }

  @Test
  void badJsonLinesNameTheRuleAndTheOthersFlowOn() throws IOException {
    List<String> read = read(json("{\"a\":1}\n{\"a\":\n[1]\n{} {}\n{\"a\":2}\n"));
    assertEquals(5, read.size());
    assertEquals("1 - {\"a\":1}", read.get(0));
    assertTrue(read.get(1).startsWith("2 is no valid JSON"), read.get(1));
    assertEquals("3 is no JSON object; it must begin with '{'", read.get(2));
    assertEquals("4 has something after the end of the object", read.get(3));
    assertEquals("5 - {\"a\":2}", read.get(4));
  }

  @Test
  void jsonFieldsCanBePickedAndTheTimeMapped() throws IOException {
    assertEquals(
        List.of(
            "1 7000000 {\"v\":{\"x\":[1, 2]},\"w\":\"s\"}",
            "2 has no field 't' for the event time"),
        read(
            json(
                "{\"t\":\"7\",\"a\":{\"x\":[1, 2]},\"b\":\"s\",\"c\":0}\n{\"a\":1}\n",
                "time=t",
                "v=a",
                "w=b")));
  }

  @Test
  void mappingsMustBePairsAndUnique() {
    assertThrows(IllegalArgumentException.class, () -> Columns.parse(List.of("time")));
    assertThrows(IllegalArgumentException.class, () -> Columns.parse(List.of("a=b", "a=c")));
  }
}
