package io.galop.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonFieldTest {
  private static final List<String> NAMES = List.of("a", "value", "ä€", "x\"y", "back\\slash", "");
  private static final List<String> TEXTS =
      List.of("", "plain", "{\"v\":1}", "]},:", "tab\tnew\nline", "quote \" and \\", "ü€𝄞");

  private static byte[] utf8(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"v\":5}                                      | 5",
        "` \n{ \"v\" :\t\"text\" , \"w\":1 } \n`        | text",
        "{\"w\":{\"v\":1},\"x\":[{\"v\":2}],\"v\":3}    | 3",
        "{\"v\":1,\"v\":2}                              | 2",
        "{\"\\u0076\":\"escaped name\"}                 | escaped name",
        "{\"v\":\"a\\u00e9\\n\\\"\"}                    | `aé\n\"`",
        "{\"w\":\"}\\\\\",\"v\":true}                   | true",
        "{\"v\":-1.5e-3,\"w\":0}                        | -1.5e-3"
      })
  void findsTheFieldAtTheTop(String json, String text) {
    JsonField field = new JsonField("v");
    assertTrue(field.find(utf8(json)));
    assertEquals(text, field.text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{}", " { } ", "{\"w\":\"v\"}", "{\"w\":{\"v\":1}}", "{\"vv\":1}", "{\"V\":1}"})
  void findsNothingWhereThereIsNothing(String json) {
    assertFalse(new JsonField("v").find(utf8(json)));
  }

  @Test
  void tellsNumbersTextsAndNestedValuesApart() {
    JsonField field = new JsonField("v");
    field.find(utf8("{\"v\":-5}"));
    assertTrue(field.isNumber());
    assertEquals(-5, field.number());
    field.find(utf8("{\"v\":\"5\"}"));
    assertFalse(field.isNumber() || field.isNested());
    field.find(utf8("{\"v\":[5]}"));
    assertTrue(field.isNested());
  }

  /** What a parser with a tree reads is what it finds, whatever the object looks like. */
  @Test
  void agreesWithAParser() {
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      JsonObject object = object(random, 3);
      byte[] bytes = utf8(random.nextBoolean() ? object.encode() : object.encodePrettily());
      for (String name : NAMES) {
        JsonField field = new JsonField(name);
        assertEquals(object.containsKey(name), field.find(bytes), object::encode);
        Object value = object.getValue(name);
        if (value instanceof Double number) {
          assertEquals(number, field.number(), object::encode);
        } else if (value instanceof String text) {
          assertEquals(text, field.text(), object::encode);
        }
      }
    }
  }

  private static JsonObject object(Random random, int depth) {
    JsonObject object = new JsonObject();
    for (int i = random.nextInt(5); i > 0; i--) {
      object.put(NAMES.get(random.nextInt(NAMES.size())), value(random, depth));
    }
    return object;
  }

  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 6 : 4)) {
      case 0 -> TEXTS.get(random.nextInt(TEXTS.size()));
      case 1 -> random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
      case 2 -> (double) (random.nextInt(200_000) - 100_000) / 100;
      case 3 -> random.nextBoolean();
      case 4 -> object(random, depth - 1);
      default -> new JsonArray().add(value(random, depth - 1)).add(object(random, depth - 1));
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}               | {\"f\":1}",
        "{ }              | { \"f\":1}",
        "{\"a\":2}        | {\"a\":2,\"f\":1}",
        "{\"a\":{}}       | {\"a\":{},\"f\":1}",
        "{\"a\":\"}\" }   | {\"a\":\"}\" ,\"f\":1}",
      })
  void splicesAFieldInAtTheEnd(String object, String expected) {
    byte[] joined = JsonSplice.withField(utf8(object), utf8("\"f\":1"));
    assertEquals(expected, new String(joined, StandardCharsets.UTF_8));
    assertEquals(1, new JsonObject(expected).getInteger("f"));
  }
}
