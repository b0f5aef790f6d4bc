package io.galop.expression;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.galop.record.Record;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Says of a record whether an expression over its {@code topic}, {@code id}, {@code time} and
 * {@code data} is true. Immutable, for any thread.
 */
public final class RecordFilter {
  private static final JsonFactory JSON = new JsonFactory();

  private final Expression expression;

  private RecordFilter(Expression expression) {
    this.expression = expression;
  }

  /**
   * Compiles a filter; takes milliseconds.
   *
   * @throws ExpressionFailure saying at which column what is wrong
   */
  public static RecordFilter of(String expression) throws ExpressionFailure {
    return new RecordFilter(Expressions.ofRecords().compile(expression));
  }

  /**
   * Whether the expression is true of a record. Parses all of its data, so ask once for a record
   * and not once for a viewer.
   *
   * @throws ExpressionFailure if it is neither true nor false, such as where a field is missing
   */
  public boolean matches(Record record) throws ExpressionFailure {
    Map<String, Optional<Object>> variables =
        Map.of(
            "topic", Optional.of(record.topic()),
            "id", Optional.of(record.id()),
            "time", Optional.of(record.timeUs()),
            "data", Optional.of(read(record.data())));
    return expression.isTrue(name -> variables.getOrDefault(name, Optional.empty()));
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
