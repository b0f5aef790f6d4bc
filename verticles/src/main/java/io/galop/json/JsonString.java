package io.galop.json;

import java.nio.charset.StandardCharsets;

/** Writes JSON strings (RFC 8259, 7). */
public final class JsonString {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private JsonString() {}

  /** A text as a JSON string, quotes included. */
  public static String quoted(String text) {
    return quote(new StringBuilder(text.length() + 16), text).toString();
  }

  /** Appends a text as a JSON string, quotes included. */
  public static StringBuilder quote(StringBuilder to, String text) {
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
    to.append('\\');
    switch (c) {
      case '\n' -> to.append('n');
      case '\r' -> to.append('r');
      case '\t' -> to.append('t');
      case '"', '\\' -> to.append(c);
      default -> to.append("u00").append(HEX[c >> 4]).append(HEX[c & 15]);
    }
  }

  /** A text as a JSON string in UTF-8, quotes included. */
  public static byte[] element(String text) {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    byte[] quoted = new byte[plain.length + 2 + escapes(plain)];
    int at = 0;
    quoted[at++] = '"';
    for (byte b : plain) {
      if (isPlain(b)) {
        quoted[at++] = b;
      } else {
        at = escape(quoted, at, b);
      }
    }
    quoted[at] = '"';
    return quoted;
  }

  /** Bytes of characters beyond ASCII are negative. */
  private static boolean isPlain(byte b) {
    return (b >= 0x20 || b < 0) && b != '"' && b != '\\';
  }

  private static int escapes(byte[] plain) {
    int more = 0;
    for (byte b : plain) {
      if (!isPlain(b)) {
        more += b >= 0x20 ? 1 : 5;
      }
    }
    return more;
  }

  private static int escape(byte[] to, int from, byte b) {
    int at = from;
    to[at++] = '\\';
    if (b >= 0x20) {
      to[at++] = b;
      return at;
    }
    to[at++] = 'u';
    to[at++] = '0';
    to[at++] = '0';
    to[at++] = (byte) HEX[b >> 4];
    to[at++] = (byte) HEX[b & 15];
    return at;
  }
}
