package io.galop.broadcast;

import java.nio.charset.StandardCharsets;

/** A message as an element of a SockJS array frame: a JSON string (RFC 8259, 7) in UTF-8. */
final class SockJsElement {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private SockJsElement() {}

  /** A text as a JSON string in UTF-8, quotes included. */
  static byte[] of(String text) {
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
