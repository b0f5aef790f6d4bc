package io.galop.json;

/** Moves over valid JSON in UTF-8. Every method stops at the end of the bytes at the latest. */
final class JsonBytes {
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
  static int skipString(byte[] json, int from) {
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
}
