package io.galop.ingest.http;

import io.galop.ingest.parse.JsonScanner;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Percent-encoded UTF-8 in a path (RFC 3986, 2.1). Unlike in a form, a plus is a plus. */
final class PercentCoding {
  private PercentCoding() {}

  /**
   * The text that is meant.
   *
   * @throws IllegalArgumentException if a sequence is cut off, no hexadecimal number or not UTF-8
   */
  static String decode(String path) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
    for (int at = 0; at < path.length(); at++) {
      char c = path.charAt(at);
      if (c > 0x7f) {
        throw new IllegalArgumentException("not ASCII");
      }
      if (c == '%') {
        bytes.write(digit(path, ++at) << 4 | digit(path, ++at));
      } else {
        bytes.write(c);
      }
    }
    if (!JsonScanner.isUtf8(bytes.toByteArray())) {
      throw new IllegalArgumentException("not UTF-8");
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int digit(String path, int at) {
    int digit = at < path.length() ? Character.digit(path.charAt(at), 16) : -1;
    if (digit < 0) {
      throw new IllegalArgumentException("not hexadecimal");
    }
    return digit;
  }
}
