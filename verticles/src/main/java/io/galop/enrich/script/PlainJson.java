package io.galop.enrich.script;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON and plain values: maps, lists, texts, numbers, booleans and null. A record is read once
 * before a script is called, and what it returned is written once after it.
 */
public final class PlainJson {
  /** How many levels objects and lists may be nested. */
  public static final int DEEPEST = 500;

  private static final JsonFactory JSON = new JsonFactory();

  private PlainJson() {}

  /**
   * Reads an object. Whole numbers stay exact whatever their size, others are doubles.
   *
   * @param json UTF-8
   * @param nodes what objects and arrays become
   * @throws ScriptFailure if it is no JSON object
   */
  public static Map<String, @Nullable Object> read(byte[] json, JsonNodes nodes)
      throws ScriptFailure {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new ScriptFailure("the record's data is no JSON object");
      }
      return object(parser, nodes);
    } catch (JsonProcessingException e) {
      throw new ScriptFailure("the record's data is no valid JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new ScriptFailure("the record's data is no valid JSON: " + e.getMessage());
    }
  }

  private static Map<String, @Nullable Object> object(JsonParser parser, JsonNodes nodes)
      throws IOException {
    Map<String, @Nullable Object> to = nodes.object();
    for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
      parser.nextToken();
      to.put(key, value(parser, nodes));
    }
    return to;
  }

  private static List<@Nullable Object> array(JsonParser parser, JsonNodes nodes)
      throws IOException {
    List<@Nullable Object> to = nodes.array();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      to.add(value(parser, nodes));
    }
    return to;
  }

  private static @Nullable Object value(JsonParser parser, JsonNodes nodes) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, nodes);
      case START_ARRAY -> array(parser, nodes);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getNumberValue();
      case VALUE_NUMBER_FLOAT -> fraction(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static Number fraction(JsonParser parser) throws IOException {
    double value = parser.getDoubleValue();
    return Double.isInfinite(value) ? parser.getDecimalValue() : (Number) value;
  }

  /** Whether a value is a number that cannot change. */
  static boolean isNumber(@Nullable Object value) {
    return value instanceof Integer
        || value instanceof Long
        || value instanceof Double
        || value instanceof Float
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigInteger
        || value instanceof BigDecimal;
  }
}
