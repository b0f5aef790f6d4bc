package io.galop.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonArray;
import org.junit.jupiter.api.Test;

class JsonStringTest {
  @Test
  void escapesWhatJsonDoesNotAllowInAString() {
    assertEquals("\"\\\"a\\\\b\\n\\u001f\"", JsonString.quoted("\"a\\b\n\u001f"));
  }

  @Test
  void isReadBackByAParserAsItWas() {
    String text = "\u0000 plain \"quoted\" \\ \t é € 😀 \u007f";
    assertEquals(text, new JsonArray("[" + JsonString.quoted(text) + "]").getString(0));
  }
}
