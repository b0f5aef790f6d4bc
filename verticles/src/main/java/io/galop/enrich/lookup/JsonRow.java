package io.galop.enrich.lookup;

import io.galop.json.JsonString;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.data.Numeric;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a row of a SQL table as a JSON object. Numbers stay numbers, JSON stays JSON, bytes become
 * Base64, times without a zone are UTC, arrays are arrays, all else is text; NULL is left out.
 */
final class JsonRow {
  private final StringBuilder object = new StringBuilder("{");

  void add(String column, @Nullable Object value) {
    if (value == null || value == Tuple.JSON_NULL || isNotFinite(value)) {
      return;
    }
    object.append(object.length() == 1 ? "" : ",").append(JsonString.quoted(column)).append(':');
    object.append(json(value));
  }

  private static boolean isNotFinite(Object value) {
    return value instanceof Double number && !Double.isFinite(number)
        || value instanceof Float single && !Float.isFinite(single)
        || value instanceof Numeric numeric && numeric.isNaN();
  }

  private static String json(Object value) {
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    if (value instanceof JsonObject || value instanceof JsonArray) {
      return value instanceof JsonObject map ? map.encode() : ((JsonArray) value).encode();
    }
    if (value instanceof Object[] items) {
      return Arrays.stream(items).map(JsonRow::item).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Buffer bytes) {
      return '"' + Base64.getEncoder().encodeToString(bytes.getBytes()) + '"';
    }
    if (value instanceof LocalDateTime time) {
      return JsonString.quoted(time.toInstant(ZoneOffset.UTC).toString());
    }
    return JsonString.quoted(value.toString());
  }

  private static String item(@Nullable Object item) {
    return item == null || item == Tuple.JSON_NULL || isNotFinite(item) ? "null" : json(item);
  }

  String end() {
    return object.append('}').toString();
  }
}
