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
        path, new QueryStringDecoder(query, false).parameters(), accept, 10_000, 256);
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
        "t|limits=5|'limits' is no parameter; there are 'from', 'to', 'limit' and 'order'",
        "a/%23/b||filter 'a/#/b': '#' must be the last level",
      })
  void whatIsWrongIsNamed(String path, String query, String message) {
    Exception e =
        assertThrows(
            IllegalArgumentException.class, () -> parse(path, query == null ? "" : query, ""));
    assertEquals(message, e.getMessage());
  }
}
