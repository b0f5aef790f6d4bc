package io.galop.ingest.parse;

import io.galop.record.Reason;

/**
 * Checks one JSON value (RFC 8259) in a single pass over its bytes, without making anything of it:
 * grammar, strict UTF-8, nesting and number of fields. Of many values after another, on one thread.
 */
public final class JsonScanner {
  /** What every method answers instead of an index when it has found something wrong. */
  static final int WRONG = -1;

  private final int maxDepth;
  private final int maxFields;
  private final boolean[] objects;
  private byte[] in = {};
  private int end;
  private int depth;
  private int fields;
  private boolean escapes;
  private boolean lineBreaks;
  private Reason reason = Reason.MALFORMED;
  private String wrong = "";
  private int wrongAt;

  public JsonScanner(int maxDepth, int maxFields) {
    this.maxDepth = maxDepth;
    this.maxFields = maxFields;
    this.objects = new boolean[maxDepth];
  }

  /** From now on, indices are of these bytes, of which none at or after {@code to} is looked at. */
  public void over(byte[] bytes, int to) {
    in = bytes;
    end = to;
    lineBreaks = false;
  }

  /** Which rule the last {@link #WRONG} broke. */
  public Reason reason() {
    return reason;
  }

  /** What was wrong, where, counted in bytes from 1 at {@code from}, and what to do. */
  String sentence(int from) {
    String advice =
        switch (reason) {
          case TOO_DEEP -> "; nest less, or raise ingest.limits.maxDepth";
          case TOO_MANY_FIELDS -> "; send fewer, or raise ingest.limits.maxFields";
          default -> "; send valid JSON";
        };
    return wrong + " at byte " + (wrongAt - from + 1) + advice;
  }

  /** Whether there are line breaks in what was looked at; they can only be between tokens. */
  boolean hasLineBreaks() {
    return lineBreaks;
  }

  /** Whether the last {@link #text} holds escapes. */
  boolean hasEscapes() {
    return escapes;
  }

  /** The index after the string that starts at {@code at}. */
  int text(int at) {
    escapes = false;
    return at(at) == '"' ? string(at + 1) : unexpected(at);
  }

  /** The index of the first byte from {@code at} on that is not white space, or the end. */
  public int space(int at) {
    while (at < end) {
      byte b = in[at];
      if (b > ' ' || b < 0) {
        return at;
      }
      if (b == '\n' || b == '\r') {
        lineBreaks = true;
      } else if (b != ' ' && b != '\t') {
        return at;
      }
      at++;
    }
    return at;
  }

  /** The byte at an index; 0, which is nowhere allowed outside of strings, at the end. */
  public byte at(int at) {
    return at < end ? in[at] : 0;
  }

  /** The index after the value that starts at {@code at}. */
  public int value(int at) {
    depth = 0;
    fields = 0;
    do {
      at = begin(at);
      if (at >= 0) {
        at = finish(at);
      }
    } while (at >= 0 && depth > 0);
    return at;
  }

  /** Takes a scalar, or all brackets up to the first scalar or empty bracket inside. */
  private int begin(int at) {
    byte b = at(at);
    while (b == '{' || b == '[') {
      if (depth == maxDepth) {
        return fail(Reason.TOO_DEEP, "nested more than " + maxDepth + " deep", at);
      }
      boolean object = b == '{';
      objects[depth++] = object;
      at = space(at + 1);
      b = at(at);
      if (b == (object ? '}' : ']')) {
        depth--;
        return at + 1;
      }
      if (object) {
        at = key(at);
        if (at < 0) {
          return WRONG;
        }
        b = at(at);
      }
    }
    return scalar(b, at);
  }

  /** Takes what may follow a value: closing brackets, then a comma and what leads to a value. */
  private int finish(int at) {
    while (depth > 0) {
      at = space(at);
      byte b = at(at);
      boolean object = objects[depth - 1];
      if (b == ',') {
        at = space(at + 1);
        return object ? key(at) : at;
      }
      if (b != (object ? '}' : ']')) {
        return unexpected(at);
      }
      depth--;
      at++;
    }
    return at;
  }

  /** The index of the value after the key that starts at {@code at}. */
  private int key(int at) {
    if (at(at) != '"') {
      return unexpected(at);
    }
    if (++fields > maxFields) {
      return fail(Reason.TOO_MANY_FIELDS, "more than " + maxFields + " fields", at);
    }
    return colon(string(at + 1));
  }

  /** The index of the value after the key that ends before {@code at}. */
  int colon(int at) {
    if (at < 0) {
      return WRONG;
    }
    at = space(at);
    return at(at) == ':' ? space(at + 1) : unexpected(at);
  }

  private int scalar(byte b, int at) {
    return switch (b) {
      case '"' -> string(at + 1);
      case 't' -> literal("true", at);
      case 'f' -> literal("false", at);
      case 'n' -> literal("null", at);
      default -> number(at);
    };
  }

  private int literal(String word, int at) {
    for (int i = 0; i < word.length(); i++) {
      if (at(at + i) != word.charAt(i)) {
        return unexpected(at + i);
      }
    }
    return at + word.length();
  }

  private int number(int at) {
    if (at(at) == '-') {
      at++;
    }
    at = at(at) == '0' ? at + 1 : digits(at);
    if (at >= 0 && at(at) == '.') {
      at = digits(at + 1);
    }
    if (at >= 0 && (at(at) | 0x20) == 'e') {
      byte sign = at(at + 1);
      at = digits(sign == '+' || sign == '-' ? at + 2 : at + 1);
    }
    return at;
  }

  private int digits(int at) {
    int from = at;
    while (at < end && in[at] >= '0' && in[at] <= '9') {
      at++;
    }
    return at == from ? unexpected(at) : at;
  }

  /** The index after the string whose opening quote is before {@code at}. */
  private int string(int at) {
    byte[] bytes = in;
    int to = end;
    while (at < to) {
      byte b = bytes[at];
      if (b == '"') {
        return at + 1;
      }
      if (b >= ' ' && b != '\\') {
        at++;
        continue;
      }
      at = b == '\\' ? escape(at + 1) : b < 0 ? utf8(at) : control(at);
      if (at < 0) {
        return WRONG;
      }
    }
    return fail(Reason.MALFORMED, "the line is cut off inside a string", to);
  }

  private int control(int at) {
    return fail(Reason.MALFORMED, "an unescaped control character in a string", at);
  }

  private int escape(int at) {
    escapes = true;
    byte b = at(at);
    if (b == 'u') {
      for (int i = 1; i <= 4; i++) {
        if (Character.digit(at(at + i), 16) < 0) {
          return unexpected(at + i);
        }
      }
      return at + 5;
    }
    return b != 0 && "\"\\/bfnrt".indexOf(b) >= 0 ? at + 1 : unexpected(at);
  }

  /** The index after the character of several bytes at {@code at}; RFC 3629, section 4. */
  private int utf8(int at) {
    int lead = in[at] & 0xff;
    int second = at(at + 1) & 0xff;
    int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    boolean good = lead >= 0xc2 && lead <= 0xf4 && second >= lowest && second <= highest;
    for (int i = 2; good && i < length; i++) {
      good = (at(at + i) & 0xc0) == 0x80;
    }
    return good ? at + length : fail(Reason.MALFORMED, "bytes that are not UTF-8", at);
  }

  /** Whether bytes are UTF-8 throughout. */
  public static boolean isUtf8(byte[] bytes) {
    JsonScanner scanner = new JsonScanner(0, 0);
    scanner.over(bytes, bytes.length);
    int at = 0;
    while (at >= 0 && at < bytes.length) {
      at = bytes[at] < 0 ? scanner.utf8(at) : at + 1;
    }
    return at >= 0;
  }

  /** Says that the byte at an index cannot stand there. */
  int unexpected(int at) {
    if (at >= end) {
      return fail(Reason.MALFORMED, "the line is cut off", end);
    }
    int b = in[at] & 0xff;
    String what =
        b > ' ' && b < 0x7f ? "'" + (char) b + "'" : "the byte 0x" + Integer.toHexString(b);
    return fail(Reason.MALFORMED, what + " is not expected", at);
  }

  private int fail(Reason why, String what, int at) {
    reason = why;
    wrong = what;
    wrongAt = Math.min(at, end);
    return WRONG;
  }
}
