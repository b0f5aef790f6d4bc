package io.galop.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Moves over valid JSON in UTF-8. Every method stops at the end of the bytes at the latest. */
public final class JsonBytes {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonBytes() {}

  static int skipSpace(byte[] json, int from) {
    int at = from;
    while (at < json.length && isSpace(json[at])) {
      at++;
    }
    return at;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /** From an opening quote to behind the closing one. */
  public static int skipString(byte[] json, int from) {
    int at = from + 1;
    while (at < json.length && json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    return Math.min(at + 1, json.length);
  }

  /** From the first byte of a value to behind its last. */
  static int skipValue(byte[] json, int from) {
    if (from >= json.length) {
      return from;
    }
    return switch (json[from]) {
      case '"' -> skipString(json, from);
      case '{', '[' -> skipNested(json, from);
      default -> skipPlain(json, from);
    };
  }

  private static int skipNested(byte[] json, int from) {
    int depth = 0;
    int at = from;
    while (at < json.length) {
      byte b = json[at];
      if (b == '"') {
        at = skipString(json, at);
        continue;
      }
      at++;
      if (b == '{' || b == '[') {
        depth++;
      } else if ((b == '}' || b == ']') && --depth == 0) {
        return at;
      }
    }
    return at;
  }

  private static int skipPlain(byte[] json, int from) {
    int at = from;
    while (at < json.length && !isSpace(json[at])) {
      byte b = json[at];
      if (b == ',' || b == '}' || b == ']') {
        break;
      }
      at++;
    }
    return at;
  }

  static boolean hasEscape(byte[] json, int from, int to) {
    for (int at = from; at < to; at++) {
      if (json[at] == '\\') {
        return true;
      }
    }
    return false;
  }

  /** The text whose quotes are at both ends, without its escapes. */
  static String unescaped(byte[] json, int from, int to) {
    try (JsonParser parser = JSON.createParser(json, from, to - from)) {
      return parser.nextTextValue();
    } catch (IOException e) {
      throw new UncheckedIOException("the data of a record is not JSON", e);
    }
  }
}
