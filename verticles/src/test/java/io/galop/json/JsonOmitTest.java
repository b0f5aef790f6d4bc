package io.galop.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonOmitTest {
  private static final JsonOmit OMIT = new JsonOmit(Set.of("v", "ä\""));

  private static byte[] utf8(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"v\":5}                                  | {}",
        "{\"v\":5,\"w\":1}                          | {\"w\":1}",
        "{\"w\":1,\"v\":{\"x\":[1,\"}\"]}}          | {\"w\":1}",
        "{\"a\":1,\"v\":2,\"b\":3}                  | {\"a\":1,\"b\":3}",
        "{\"v\":1,\"v\":2,\"b\":3,\"v\":4}          | {\"b\":3}",
        "{\"\\u0076\":1,\"b\":\"v\"}                | {\"b\":\"v\"}",
        "{\"\\u00e4\\\"\":1,\"b\":1}                | {\"b\":1}",
        "{ \"v\" : 1 , \"b\" : [ 2 ] }              | {\"b\" : [ 2 ]}",
        "{\"b\":{\"v\":1}}                          | {\"b\":{\"v\":1}}"
      })
  void leavesTheFieldsOut(String json, String left) {
    assertEquals(left, new String(OMIT.of(utf8(json)), StandardCharsets.UTF_8));
  }

  @Test
  void copiesNothingWhereThereIsNothingToLeaveOut() {
    byte[] json = utf8("{\"a\":{\"v\":1}}");
    assertSame(json, OMIT.of(json));
    byte[] empty = utf8(" { } ");
    assertSame(empty, OMIT.of(empty));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"v\":5}                     | {\"v\":5}",
        "{\"a\":1,\"v\":{\"a\":1},\"b\":3} | {\"v\":{\"a\":1}}",
        "{\"a\":1}                     | {}",
        "{\"\\u0076\":1,\"b\":\"v\"}     | {\"\\u0076\":1}"
      })
  void leavesAllOtherFieldsOut(String json, String left) {
    byte[] kept = JsonOmit.allBut(Set.of("v", "w")).of(utf8(json));
    assertEquals(left, new String(kept, StandardCharsets.UTF_8));
  }

  @Test
  void keepsWhatIsAroundTheObject() {
    byte[] text = utf8("{\"data\":{\"v\":1,\"a\":2},\"v\":3}");
    assertEquals(
        "{\"data\":{\"a\":2},\"v\":3}", new String(OMIT.within(text, 8), StandardCharsets.UTF_8));
  }
}
