package io.galop.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists and texts. Pure. */
final class Json {
  static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /**
   * Reads an object.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static Map<String, Object> object(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("no JSON object: " + shortened(text));
      }
      Map<String, Object> members = members(parser);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("more than a JSON object: " + shortened(text));
      }
      return members;
    } catch (IOException e) {
      throw new IllegalArgumentException("no JSON: " + shortened(text), e);
    }
  }

  static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  private static Map<String, Object> members(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return nullable(members);
  }

  /** A program that reads data of others knows that JSON has null. */
  @SuppressWarnings({"unchecked", "NullAway"})
  private static Map<String, Object> nullable(Map<String, @Nullable Object> members) {
    return members;
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> members(parser);
      case START_ARRAY -> elements(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_NUMBER_INT -> {
        boolean isLarge = parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER;
        yield isLarge ? (Object) parser.getBigIntegerValue() : (Object) parser.getLongValue();
      }
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static List<@Nullable Object> elements(JsonParser parser) throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }

  /**
   * A line that publishes a record.
   *
   * @throws IllegalArgumentException if the data is no JSON object
   */
  static String record(String topic, String data, String id) {
    object(data);
    // Of valid JSON they are white space.
    String line = data.replace('\n', ' ').replace('\r', ' ');
    String opening = write(Map.of("topic", topic, "id", id));
    return opening.substring(0, opening.length() - 1) + ",\"data\":" + line + "}";
  }

  /** Writes an object of texts, numbers, truth values and maps of these. */
  static String write(Map<String, ?> object) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = FACTORY.createGenerator(text)) {
      write(object, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(Map<?, ?> object, JsonGenerator to) throws IOException {
    to.writeStartObject();
    for (Map.Entry<?, ?> member : object.entrySet()) {
      to.writeFieldName(String.valueOf(member.getKey()));
      if (member.getValue() instanceof Map<?, ?> inner) {
        write(inner, to);
      } else if (member.getValue() instanceof Boolean truth) {
        to.writeBoolean(truth);
      } else if (member.getValue() instanceof Number number) {
        to.writeNumber(String.valueOf(number));
      } else {
        to.writeString(String.valueOf(member.getValue()));
      }
    }
    to.writeEndObject();
  }
}
