package io.galop.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds one top-level field of a JSON object in its bytes: no tree, no parser, nothing allocated.
 * Whoever took the record in has checked that it is JSON. Where a name stands twice the last one
 * counts, as for JSON.parse. Holds what it found, so it belongs to one thread.
 */
public final class JsonField {
  private final String name;
  private final byte[] nameBytes;
  private byte[] data = {};
  private int start;
  private int end;

  public JsonField(String name) {
    this.name = name;
    this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
  }

  /** Looks for the field; afterwards the other methods speak of its value. */
  public boolean find(byte[] object) {
    data = object;
    start = -1;
    int at = JsonBytes.skipSpace(object, JsonBytes.skipSpace(object, 0) + 1);
    while (at < object.length && object[at] == '"') {
      int nameEnd = JsonBytes.skipString(object, at);
      int valueAt = JsonBytes.skipSpace(object, JsonBytes.skipSpace(object, nameEnd) + 1);
      int valueEnd = JsonBytes.skipValue(object, valueAt);
      if (isName(at + 1, nameEnd - 1)) {
        start = valueAt;
        end = valueEnd;
      }
      at = JsonBytes.skipSpace(object, JsonBytes.skipSpace(object, valueEnd) + 1);
    }
    return start >= 0;
  }

  private boolean isName(int from, int to) {
    if (Arrays.equals(data, from, to, nameBytes, 0, nameBytes.length)) {
      return true;
    }
    return JsonBytes.hasEscape(data, from, to)
        && name.equals(JsonBytes.unescaped(data, from - 1, to + 1));
  }

  /** Whether the value is a number. */
  public boolean isNumber() {
    byte first = data[start];
    return first == '-' || first >= '0' && first <= '9';
  }

  /** Whether the value is an object or an array. */
  public boolean isNested() {
    return data[start] == '{' || data[start] == '[';
  }

  /** The value as it stands there, copied. */
  public byte[] bytes() {
    return Arrays.copyOfRange(data, start, end);
  }

  /** The value of a number. */
  public double number() {
    return JsonDecimals.parse(data, start, end);
  }

  /** A text without its quotes and escapes; a number or word as it stands there. */
  public String text() {
    if (data[start] != '"') {
      return new String(data, start, end - start, StandardCharsets.UTF_8);
    }
    return JsonBytes.hasEscape(data, start + 1, end - 1)
        ? JsonBytes.unescaped(data, start, end)
        : new String(data, start + 1, end - start - 2, StandardCharsets.UTF_8);
  }
}
