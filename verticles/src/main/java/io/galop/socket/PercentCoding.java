package io.galop.socket;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-encoded UTF-8 in a path (RFC 3986, 2.1). Unlike in a form, a plus is a plus. */
public final class PercentCoding {
  private PercentCoding() {}

  /**
   * The text that is meant.
   *
   * @throws IllegalArgumentException if a sequence is cut off, no hexadecimal number or not UTF-8
   */
  public static String decode(String path) {
    ByteBuffer bytes = ByteBuffer.allocate(path.length());
    for (int at = 0; at < path.length(); at++) {
      char c = path.charAt(at);
      if (c > 0x7f) {
        throw new IllegalArgumentException("not ASCII");
      }
      bytes.put((byte) (c == '%' ? digit(path, ++at) << 4 | digit(path, ++at) : c));
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8", e);
    }
  }

  private static int digit(String path, int at) {
    int digit = at < path.length() ? Character.digit(path.charAt(at), 16) : -1;
    if (digit < 0) {
      throw new IllegalArgumentException("not hexadecimal");
    }
    return digit;
  }
}
