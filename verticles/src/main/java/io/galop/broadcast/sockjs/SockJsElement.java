package io.galop.broadcast.sockjs;

import java.util.Arrays;

/**
 * A message as an element of a SockJS array frame: a JSON string (RFC 8259, 7) in UTF-8. The
 * protocol (0.3, "JSON Unicode Encoding") names what browsers mangle on some transports and a
 * server has to escape: control characters, U+200C–200F, U+2028–202F, U+2060–206F, U+FFF0–FFFF.
 */
final class SockJsElement {
  private static final char[] HEX = "0123456789abcdef".toCharArray();
  private static final String SHORT = "\b\t\n\f\r";
  private static final String SHORT_WORDS = "btnfr";

  /** All that has to be escaped beyond ASCII has three bytes, and begins with one of these. */
  private static final byte LEAD_OF_2XXX = (byte) 0xe2;

  private static final byte LEAD_OF_FXXX = (byte) 0xef;

  private static final byte PERHAPS = -1;

  /**
   * By a byte, how many more its escape takes; {@link #PERHAPS} where that depends on those behind
   * it. A look-up, as this is done for all bytes of every record.
   */
  private static final byte[] MORE = new byte[256];

  static {
    for (int b = 0; b < 0x20; b++) {
      MORE[b] = (byte) (SHORT.indexOf(b) >= 0 ? 1 : 5);
    }
    MORE['"'] = 1;
    MORE['\\'] = 1;
    MORE[LEAD_OF_2XXX & 0xff] = PERHAPS;
    MORE[LEAD_OF_FXXX & 0xff] = PERHAPS;
  }

  private SockJsElement() {}

  /** The beginning of a text as the beginning of a JSON string: with one quote. */
  static byte[] opening(byte[] plain) {
    byte[] opening = new byte[1 + plain.length + more(plain)];
    opening[0] = '"';
    write(plain, opening, 1);
    return opening;
  }

  /** The rest of a text behind its {@link #opening}: a JSON string, quotes included. */
  static byte[] of(byte[] opening, byte[] rest) {
    byte[] quoted = Arrays.copyOf(opening, opening.length + rest.length + more(rest) + 1);
    quoted[write(rest, quoted, opening.length)] = '"';
    return quoted;
  }

  private static int write(byte[] plain, byte[] quoted, int from) {
    int at = from;
    for (int i = 0; i < plain.length; i++) {
      byte b = plain[i];
      if (MORE[b & 0xff] == 0) {
        quoted[at++] = b;
      } else if (b >= 0) {
        at = escape(quoted, at, b);
      } else if (isMangled(plain, i)) {
        at = unicode(quoted, at, codeAt(plain, i));
        i += 2;
      } else {
        quoted[at++] = b;
      }
    }
    return at;
  }

  private static boolean isMangled(byte[] plain, int i) {
    int code = codeAt(plain, i);
    return code >= 0xfff0
        || code >= 0x200c && code <= 0x200f
        || code >= 0x2028 && code <= 0x202f
        || code >= 0x2060 && code <= 0x206f;
  }

  private static int codeAt(byte[] plain, int i) {
    return (plain[i] & 0xf) << 12 | (plain[i + 1] & 0x3f) << 6 | plain[i + 2] & 0x3f;
  }

  /** How many bytes the escapes take besides those that they stand for. */
  private static int more(byte[] plain) {
    int more = 0;
    for (int i = 0; i < plain.length; i++) {
      int escape = MORE[plain[i] & 0xff];
      if (escape == PERHAPS) {
        more += isMangled(plain, i) ? 3 : 0;
      } else {
        more += escape;
      }
    }
    return more;
  }

  private static int escape(byte[] to, int at, byte b) {
    if (MORE[b] > 1) {
      return unicode(to, at, b);
    }
    to[at] = '\\';
    to[at + 1] = b >= 0x20 ? b : (byte) SHORT_WORDS.charAt(SHORT.indexOf(b));
    return at + 2;
  }

  private static int unicode(byte[] to, int at, int code) {
    to[at] = '\\';
    to[at + 1] = 'u';
    for (int digit = 0; digit < 4; digit++) {
      to[at + 2 + digit] = (byte) HEX[code >> 12 - 4 * digit & 0xf];
    }
    return at + 6;
  }
}
