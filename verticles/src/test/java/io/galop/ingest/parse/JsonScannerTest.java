package io.galop.ingest.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.galop.record.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonScannerTest {
  private static final String[] GOOD = {
    "{}",
    "[]",
    "0",
    "-0",
    "-1.5e+10",
    "1E9",
    "true",
    "null",
    "\"\"",
    "\"\\u00e4\\\"\\\\\\/\\b\"",
    "{\"a\":{\"b\":[1,2,{\"c\":null}]},\"ä€😀\":\"ä€😀\"}",
    "[[],{},[ ]  , { } ]",
    "{ \"a\" : 1 , \"b\" : [ ] }"
  };
  private static final String[] BAD = {
    "",
    "{",
    "}",
    "[",
    "{]",
    "[}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{,}",
    "{a:1}",
    "{'a':1}",
    "[1,]",
    "[,1]",
    "[1 2]",
    "01",
    "1.",
    ".5",
    "-",
    "+1",
    "1e",
    "1e+",
    "tru",
    "True",
    "nul",
    "NaN",
    "\"",
    "\"\\\"",
    "\"\\x\"",
    "\"\\u12g4\"",
    "\"\t\"",
    "\"\n\"",
    "{\"a\":1",
    "{\"a",
    "{\"a\":\"b"
  };

  @Test
  void takesWhatIsJson() {
    for (String text : GOOD) {
      assertTrue(isGood(utf8(text)), text);
    }
  }

  @Test
  void refusesWhatIsNot() {
    for (String text : BAD) {
      assertFalse(isGood(utf8(text)), text);
    }
  }

  @Test
  void refusesWhatIsNotUtf8() {
    int[][] bad = {
      {0x80},
      {0xc0, 0x80},
      {0xc1, 0xbf},
      {0xe0, 0x80, 0x80},
      {0xed, 0xa0, 0x80},
      {0xc3},
      {0xf0, 0x80, 0x80, 0x80},
      {0xf4, 0x90, 0x80, 0x80},
      {0xf5, 0x80, 0x80, 0x80},
      {0xe2, 0x82},
      {0xff},
      {0xe2, 0x28, 0xa1}
    };
    for (int[] bytes : bad) {
      byte[] text = new byte[bytes.length + 2];
      for (int i = 0; i < bytes.length; i++) {
        text[i + 1] = (byte) bytes[i];
      }
      text[0] = '"';
      text[text.length - 1] = '"';
      assertFalse(isGood(text), Arrays.toString(bytes));
      assertFalse(JsonScanner.isUtf8(Arrays.copyOfRange(text, 1, text.length - 1)));
    }
    assertTrue(JsonScanner.isUtf8(utf8("aä€😀")));
  }

  @Test
  void countsDepthAndFields() {
    assertEquals(Reason.TOO_DEEP, reasonOf("[[[[1]]]]", 3, 9));
    assertEquals(Reason.MALFORMED, reasonOf("[[[1]]", 3, 9));
    assertEquals(Reason.TOO_MANY_FIELDS, reasonOf("{\"a\":{\"b\":1},\"c\":2,\"d\":3}", 3, 3));
  }

  /** Good texts with a byte changed here and there: both must come to the same verdict. */
  @Test
  void agreesWithJackson() throws IOException {
    Random random = new Random(7);
    byte[] spice = utf8("{}[]\",:\\/u0123456789.eE+-tfn \t\n\rä€😀\u0001");
    int good = 0;
    for (int round = 0; round < 200_000; round++) {
      byte[] text = utf8(GOOD[random.nextInt(GOOD.length)]);
      for (int i = random.nextInt(3); i > 0; i--) {
        text[random.nextInt(text.length)] = spice[random.nextInt(spice.length)];
      }
      boolean expected = isGoodForJackson(text);
      good += expected ? 1 : 0;
      assertEquals(expected, isGood(text), () -> new String(text, StandardCharsets.UTF_8));
    }
    assertTrue(good > 50_000 && good < 150_000, "the texts are no fair mix: " + good);
  }

  private static boolean isGoodForJackson(byte[] text) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      if (parser.nextToken() == null) {
        return false;
      }
      int depth = 0;
      do {
        depth += parser.currentToken().isStructStart() ? 1 : 0;
        depth -= parser.currentToken().isStructEnd() ? 1 : 0;
        if (parser.currentToken().isScalarValue()) {
          parser.getText();
        }
      } while (depth > 0 && parser.nextToken() != null);
      return depth == 0 && parser.nextToken() == null && JsonScanner.isUtf8(text);
    } catch (com.fasterxml.jackson.core.JacksonException e) {
      return false;
    }
  }

  private static boolean isGood(byte[] text) {
    JsonScanner scanner = new JsonScanner(32, 100);
    scanner.over(text, text.length);
    int end = scanner.value(scanner.space(0));
    return end >= 0 && scanner.space(end) == text.length;
  }

  private static Reason reasonOf(String text, int maxDepth, int maxFields) {
    JsonScanner scanner = new JsonScanner(maxDepth, maxFields);
    scanner.over(utf8(text), utf8(text).length);
    assertEquals(JsonScanner.WRONG, scanner.value(0));
    return scanner.reason();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
