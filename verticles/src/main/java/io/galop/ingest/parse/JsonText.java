package io.galop.ingest.parse;

import java.nio.charset.StandardCharsets;

/** The inside of a JSON string that a {@link JsonScanner} has found good, as a text. */
public final class JsonText {
  private JsonText() {}

  /** The text of {@code bytes[from, to)}, which holds no escapes. */
  static String plain(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /** The text of {@code bytes[from, to)} with its escapes resolved. */
  static String unescaped(byte[] bytes, int from, int to) {
    String raw = plain(bytes, from, to);
    StringBuilder text = new StringBuilder(raw.length());
    int at = 0;
    while (at < raw.length()) {
      char c = raw.charAt(at++);
      if (c != '\\') {
        text.append(c);
      } else if (raw.charAt(at) == 'u') {
        text.append((char) Integer.parseInt(raw, at + 1, at + 5, 16));
        at += 5;
      } else {
        text.append(meaning(raw.charAt(at++)));
      }
    }
    return text.toString();
  }

  private static char meaning(char escaped) {
    return switch (escaped) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> escaped;
    };
  }

  /** A text of a sender's for an answer or a log: one line of it, and not for ever. */
  public static String shown(String text, int most) {
    int length = Math.min(text.length(), most);
    StringBuilder shown = new StringBuilder(length + 1);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      shown.append(Character.isISOControl(c) ? '?' : c);
    }
    return length < text.length() ? shown.append('…').toString() : shown.toString();
  }

  /** Whether a text has half of a character that UTF-16 needs two units for: it has no UTF-8. */
  static boolean isBroken(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isHighSurrogate(text.charAt(i))
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }
}
