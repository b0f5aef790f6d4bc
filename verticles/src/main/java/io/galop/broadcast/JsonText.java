package io.galop.broadcast;

/** Writes JSON strings (RFC 8259, 7). */
final class JsonText {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private JsonText() {}

  /** A text as a JSON string, quotes included. */
  static String quoted(String text) {
    return quote(new StringBuilder(text.length() + 16), text).toString();
  }

  static StringBuilder quote(StringBuilder to, String text) {
    to.append('"');
    int plainFrom = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c == '"' || c == '\\') {
        escape(to.append(text, plainFrom, i), c);
        plainFrom = i + 1;
      }
    }
    return to.append(text, plainFrom, text.length()).append('"');
  }

  private static void escape(StringBuilder to, char c) {
    if (c < 0x20) {
      to.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
    } else {
      to.append('\\').append(c);
    }
  }
}
