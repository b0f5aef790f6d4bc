package io.galop.ingest.poll;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps, lists, texts, {@link JsonNumber}s, truth values and null: read from JSON, and written. The
 * answers of polled systems are few, so a tree is made of them; records on their way never are.
 */
final class JsonTree {
  private static final int MAX_DEPTH = 200;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private JsonTree() {}

  /** Reads one value; null for JSON's null. */
  static @Nullable Object read(byte[] json) throws BadAnswer {
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new BadAnswer("the answer continues after its JSON value");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new BadAnswer("the answer is no JSON: " + e.getOriginalMessage() + place(e));
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory can be read", e);
    }
  }

  private static String place(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " at line %d, column %d"
            .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }

  private static @Nullable Object value(JsonParser parser) throws IOException, BadAnswer {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new BadAnswer("the answer is empty");
    }
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> list(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getText());
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      default -> null;
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser)
      throws IOException, BadAnswer {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      object.put(name, value(parser));
    }
    return object;
  }

  private static List<@Nullable Object> list(JsonParser parser) throws IOException, BadAnswer {
    List<@Nullable Object> list = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(value(parser));
    }
    return list;
  }

  /** Writes it with its fields in the order that they have. */
  static byte[] write(@Nullable Object value) {
    return write(value, false);
  }

  /** Writes it with its fields in the order of their names: the same for the same content. */
  static byte[] writeSorted(@Nullable Object value) {
    return write(value, true);
  }

  private static byte[] write(@Nullable Object value, boolean sorted) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator generator = JSON.createGenerator(out)) {
      write(generator, value, sorted);
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory can be written", e);
    }
    return out.toByteArray();
  }

  private static void write(JsonGenerator generator, @Nullable Object value, boolean sorted)
      throws IOException {
    if (value instanceof Map<?, ?> map) {
      generator.writeStartObject();
      for (Map.Entry<?, ?> field : (sorted ? new TreeMap<>(map) : map).entrySet()) {
        generator.writeFieldName(field.getKey().toString());
        write(generator, field.getValue(), sorted);
      }
      generator.writeEndObject();
    } else if (value instanceof List<?> list) {
      generator.writeStartArray();
      for (Object each : list) {
        write(generator, each, sorted);
      }
      generator.writeEndArray();
    } else if (value instanceof JsonNumber number) {
      generator.writeNumber(number.text());
    } else if (value instanceof Boolean truth) {
      generator.writeBoolean(truth);
    } else if (value == null) {
      generator.writeNull();
    } else {
      generator.writeString(value.toString());
    }
  }
}
