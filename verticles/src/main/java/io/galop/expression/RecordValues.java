package io.galop.expression;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.galop.record.Record;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** What a {@link RecordFilter} finds of one record: read once, for any number of filters. */
public final class RecordValues {
  private static final JsonFactory JSON = new JsonFactory();

  private final Map<String, Optional<Object>> variables;

  private RecordValues(String topic, Object id, Object timeUs, Object data) {
    this.variables =
        Map.of(
            "topic", Optional.of(topic),
            "id", Optional.of(id),
            "time", Optional.of(timeUs),
            "data", Optional.of(data));
  }

  /**
   * Reads a record.
   *
   * @throws ExpressionFailure if its data is no JSON object
   */
  public static RecordValues of(Record record) throws ExpressionFailure {
    return new RecordValues(record.topic(), record.id(), record.timeUs(), read(record.data()));
  }

  /**
   * Reads a record as viewers are sent it.
   *
   * @param body begins with an object that holds {@code id}, {@code time} and {@code data}, in
   *     UTF-8; what follows it is not read
   * @throws ExpressionFailure if it does not
   */
  public static RecordValues ofBody(String topic, byte[] body) throws ExpressionFailure {
    CelMap fields = read(body);
    if (fields.get("id") instanceof String id
        && fields.get("time") instanceof Number timeUs
        && fields.get("data") instanceof CelMap data) {
      return new RecordValues(topic, id, timeUs, data);
    }
    throw new ExpressionFailure("the record's data is no JSON object");
  }

  /** A variable's value; empty if there is none of that name. */
  Optional<Object> find(String name) {
    return variables.getOrDefault(name, Optional.empty());
  }

  private static CelMap read(byte[] json) throws ExpressionFailure {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        return object(parser);
      }
    } catch (IOException e) {
      throw new ExpressionFailure("the record's data is no valid JSON");
    }
    throw new ExpressionFailure("the record's data is no JSON object");
  }

  private static CelMap object(JsonParser parser) throws IOException {
    CelMap object = CelMap.frozen();
    for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
      object.put(key, value(parser, parser.nextToken()));
    }
    return object;
  }

  private static CelList array(JsonParser parser) throws IOException {
    CelList array = new CelList();
    for (JsonToken at = parser.nextToken(); at != JsonToken.END_ARRAY; at = parser.nextToken()) {
      array.add(value(parser, at));
    }
    return array;
  }

  private static Object value(JsonParser parser, JsonToken at) throws IOException {
    return switch (at) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> CelValues.shown(parser.getNumberValue());
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> CelValues.shown(null);
    };
  }
}
