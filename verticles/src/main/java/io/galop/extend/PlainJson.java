package io.galop.extend;

import io.galop.record.JsonString;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/** Writes maps, lists, texts, numbers, booleans and null as JSON. */
final class PlainJson {
  private static final int DEEPEST = 64;

  private final StringBuilder to = new StringBuilder(256);

  private PlainJson() {}

  /**
   * A JSON object.
   *
   * @throws IllegalArgumentException naming the field that JSON cannot hold
   */
  static String object(Map<?, ?> data) {
    PlainJson json = new PlainJson();
    json.map("data", data, 0);
    return json.to.toString();
  }

  private void value(String path, Object value, int depth) {
    if (depth > DEEPEST) {
      throw new IllegalArgumentException(path + " is nested more deeply than " + DEEPEST);
    }
    if (value == null || value instanceof Boolean) {
      to.append(value);
    } else if (value instanceof CharSequence || value instanceof Character) {
      JsonString.quote(to, value.toString());
    } else if (value instanceof Number number) {
      number(path, number);
    } else if (value instanceof Map<?, ?> map) {
      map(path, map, depth);
    } else if (value instanceof Collection<?> list) {
      list(path, list, depth);
    } else if (value instanceof Object[] array) {
      list(path, Arrays.asList(array), depth);
    } else {
      throw new IllegalArgumentException(
          "%s is a %s; data are texts, numbers, booleans, null, lists and maps"
              .formatted(path, value.getClass().getName()));
    }
  }

  private void number(String path, Number number) {
    if (!Double.isFinite(number.doubleValue()) && isBinary(number)) {
      throw new IllegalArgumentException(path + " is " + number + ", which JSON cannot hold");
    }
    to.append(number);
  }

  private static boolean isBinary(Number number) {
    return number instanceof Double || number instanceof Float;
  }

  private void map(String path, Map<?, ?> map, int depth) {
    char before = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = String.valueOf(entry.getKey());
      JsonString.quote(to.append(before), name).append(':');
      value(path + '.' + name, entry.getValue(), depth + 1);
      before = ',';
    }
    to.append(before == '{' ? "{}" : "}");
  }

  private void list(String path, Collection<?> list, int depth) {
    char before = '[';
    int at = 0;
    for (Object item : list) {
      to.append(before);
      value(path + '[' + at++ + ']', item, depth + 1);
      before = ',';
    }
    to.append(before == '[' ? "[]" : "]");
  }
}
