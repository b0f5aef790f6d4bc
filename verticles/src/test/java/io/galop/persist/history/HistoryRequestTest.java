package io.galop.persist.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http.QueryStringDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryRequestTest {
  private static HistoryRequest parse(String path, String query, String accept) {
    return HistoryRequest.parse(
        path,
        new QueryStringDecoder(query, false).parameters(),
        accept,
        "",
        new HistoryRequest.Bounds(10_000, 256));
  }

  @Test
  void whatIsNotGivenHasDefaults() {
    HistoryRequest request = parse("race/1", "", "*/*");
    assertEquals("race/1", request.query().filter());
    assertEquals(Long.MIN_VALUE, request.query().fromUs());
    assertEquals(Long.MAX_VALUE, request.query().toUs());
    assertEquals(1000, request.query().limit());
    assertFalse(request.query().newestFirst());
    assertFalse(request.isLines());
  }

  @Test
  void timesAreMicrosecondsOrInstants() {
    HistoryRequest request =
        parse("t", "from=-5&to=2026-11-20T12:00:00.000001Z&order=desc&limit=7&_=1", "");
    assertEquals(-5, request.query().fromUs());
    assertEquals(1_795_176_000_000_001L, request.query().toUs());
    assertEquals(7, request.query().limit());
    assertTrue(request.query().newestFirst());
  }

  @Test
  void linesAreAskedForByAccept() {
    assertTrue(parse("t", "", "text/html, Application/X-NDJSON;q=0.9").isLines());
  }

  @ParameterizedTest
  @CsvSource({"race/%23,race/#", "race%2F%23,race/#", "+/x,+/x", "%2B/x,+/x", "a%20b,a b"})
  void theFilterIsPercentDecodedAndAPlusStays(String path, String filter) {
    assertEquals(filter, parse(path, "", "").query().filter());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "t|limit=0|'limit' is '0'; expected a number from 1 to 10000",
        "t|limit=10001|'limit' is '10001'; expected a number from 1 to 10000",
        "t|limit=x|'limit' is 'x'; expected a number from 1 to 10000",
        "t|order=up|'order' is 'up'; expected 'asc' or 'desc'",
        "t|from=yesterday|'from' is 'yesterday'; expected microseconds since 1970 or a time such as"
            + " 2026-11-20T12:00:00Z",
        "t|to=99999999999999999999|'to' is '99999999999999999999'; expected microseconds since 1970"
            + " or a time such as 2026-11-20T12:00:00Z",
        "t|from=2&to=1|'from' is later than 'to'",
        "t|from=1&from=2|'from' is given 2 times",
        "t|limits=5|'limits' is no parameter; there are 'from', 'to', 'limit', 'order', 'after',"
            + " 'format', 'every', 'points', 'fields' and 'agg'",
        "t|every=1w&fields=a|'every' is '1w'; expected 1s to 1d, as a number with ms, s, m, h or d",
        "t|every=999ms&fields=a|'every' is '999ms'; expected 1s to 1d, as a number with ms, s, m, h"
            + " or d",
        "t|every=25h&fields=a|'every' is '25h'; expected 1s to 1d, as a number with ms, s, m, h or"
            + " d",
        "t|every=1m|'every' needs 'fields', such as fields=celsius",
        "t|every=1m&fields=a&agg=min,sum|'agg' has 'sum'; expected some of min,max,avg,last,count",
        "t|every=1m&fields=a..b|'fields' is 'a..b'; expected up to 8 different paths, such as"
            + " celsius,motor.rpm",
        "t|every=1m&fields=a,a|'fields' is 'a,a'; expected up to 8 different paths, such as"
            + " celsius,motor.rpm",
        "t|points=2&fields=a|'points' is '2'; expected a number from 3 to 10000",
        "t|points=9&fields=a,b|'points' needs one field, such as fields=celsius",
        "t|points=9&fields=a&every=1m|'every' and 'points' exclude each other",
        "t|points=9&fields=a&limit=1|'points' and 'limit' exclude each other",
        "t|fields=a|'fields' needs 'every', 'points' or the format csv",
        "t|agg=min|'agg' needs 'every', such as every=1m",
        "t|format=xml|'format' is 'xml'; expected 'json', 'ndjson' or 'csv'",
        "%23|after=5:a|'after' is '5:a'; expected of the last record that you have, not"
            + " percent-encoded, TIME:ID, a tab and the topic",
        "%23|after=5&every=1m&fields=a|'after' is '5'; expected of the last row that you have, not"
            + " percent-encoded, TIME:TOPIC",
        "a/%23/b||filter 'a/#/b': '#' must be the last level",
      })
  void whatIsWrongIsNamed(String path, String query, String message) {
    Exception e =
        assertThrows(
            IllegalArgumentException.class, () -> parse(path, query == null ? "" : query, ""));
    assertEquals(message, e.getMessage());
  }
}
