package io.galop.enrich;

import java.nio.charset.StandardCharsets;

/** Adds to JSON objects without parsing them. */
public final class JsonText {
  private JsonText() {}

  /**
   * The object with a field more, spliced in before the final brace.
   *
   * @param field name and value: {@code "name":value} in UTF-8
   */
  static byte[] withField(byte[] object, byte[] field) {
    int brace = object.length - 1;
    while (object[brace] != '}') {
      brace--;
    }
    int last = brace - 1;
    while (object[last] <= ' ') {
      last--;
    }
    int comma = object[last] == '{' ? 0 : 1;
    byte[] joined = new byte[brace + comma + field.length + 1];
    System.arraycopy(object, 0, joined, 0, brace);
    joined[brace] = ',';
    System.arraycopy(field, 0, joined, brace + comma, field.length);
    joined[joined.length - 1] = '}';
    return joined;
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
