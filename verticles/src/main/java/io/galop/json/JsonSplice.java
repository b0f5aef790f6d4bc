package io.galop.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Adds to JSON objects without parsing them, and writes what is added. */
public final class JsonSplice {
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,14})(\\.\\d{1,9})?");
  private static final int MOST_DIGITS = 15;
  private static final JsonFactory JSON = new JsonFactory();

  private JsonSplice() {}

  /**
   * A cell of a table as JSON: a plain decimal number of at most 15 digits and the words true and
   * false as such, all else as text; so {@code 007} stays text.
   */
  public static String ofCell(String cell) {
    boolean isWord = cell.equals("true") || cell.equals("false");
    boolean isNumber = cell.length() <= MOST_DIGITS + 2 && NUMBER.matcher(cell).matches();
    return isWord || isNumber ? cell : JsonString.quoted(cell);
  }

  /**
   * A text that should be one JSON object.
   *
   * @return it; null if it is not
   */
  public static @Nullable String object(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
      parser.skipChildren();
      return isObject && parser.nextToken() == null ? text.strip() : null;
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * The object with a field more, spliced in before the final brace.
   *
   * @param field name and value: {@code "name":value} in UTF-8
   */
  public static byte[] withField(byte[] object, byte[] field) {
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

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
