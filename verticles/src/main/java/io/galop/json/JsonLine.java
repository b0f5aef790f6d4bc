package io.galop.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Looks into a line of JSON without changing a byte of it: numbers stay as they were written. */
public final class JsonLine {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String INNER = " \\(start marker at \\[Source: .*|: enable `.*";

  private JsonLine() {}

  /**
   * Checks that a line is one JSON object and nothing else, and finds fields of its first level.
   *
   * @param wanted names of fields to find
   * @return the bytes of the wanted fields' values, as written
   * @throws IllegalArgumentException saying in words what is wrong
   */
  public static Map<String, byte[]> scan(byte[] line, Set<String> wanted) {
    return scan(line, wanted::contains);
  }

  private static Map<String, byte[]> scan(byte[] line, Predicate<String> wanted) {
    if (isOtherThanUtf8(line)) {
      throw new IllegalArgumentException("is not UTF-8; it holds a zero byte or a byte order mark");
    }
    try (JsonParser parser = JSON.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("is no JSON object; it must begin with '{'");
      }
      Map<String, byte[]> found = new HashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        int start = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        if (wanted.test(name)) {
          int end = (int) parser.currentLocation().getByteOffset();
          found.put(name, Arrays.copyOfRange(line, start, end));
        }
      }
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("has something after the end of the object");
      }
      return found;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("is no valid JSON: " + reason(e));
    } catch (IOException e) {
      throw new IllegalArgumentException("is no valid JSON: " + e.getMessage());
    }
  }

  /**
   * Checks the same, and finds all fields of the first level.
   *
   * @return the bytes of their values, as written
   * @throws IllegalArgumentException saying in words what is wrong
   */
  public static Map<String, byte[]> scan(byte[] line) {
    return scan(line, name -> true);
  }

  /** What Jackson would read as UTF-16 or UTF-32, or whose mark it would pass over. */
  private static boolean isOtherThanUtf8(byte[] line) {
    for (int i = 0; i < Math.min(4, line.length); i++) {
      if (line[i] == 0 || i == 0 && (line[i] & 0xff) >= 0xef) {
        return true;
      }
    }
    return false;
  }

  /** Without the words with which Jackson names its source and settings. */
  private static String reason(JsonProcessingException e) {
    String first =
        e.getOriginalMessage().lines().findFirst().orElse("cut off").replaceAll(INNER, "");
    JsonLocation at = e.getLocation();
    if (at == null) {
      return first;
    }
    String line = at.getLineNr() > 1 ? "line " + at.getLineNr() + ", " : "";
    return "%s (%scolumn %d)".formatted(first, line, at.getColumnNr());
  }
}
