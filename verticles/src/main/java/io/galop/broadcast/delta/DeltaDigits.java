package io.galop.broadcast.delta;

import io.galop.json.TextBytes;

/**
 * Numbers as a few characters that no transport has to escape: digits of 5 bits, the least first;
 * the sixth bit of a character says that another follows.
 */
public final class DeltaDigits {
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private static final int BITS = 5;
  private static final int MORE = 1 << BITS;

  private DeltaDigits() {}

  /**
   * Writes a number.
   *
   * @param number not negative
   */
  public static void write(int number, TextBytes to) {
    int rest = number;
    while (rest >= MORE) {
      to.add(ALPHABET.charAt(MORE | rest & MORE - 1));
      rest >>>= BITS;
    }
    to.add(ALPHABET.charAt(rest));
  }

  /** Writes the last six bits of a number, as one character. */
  static void writeRest(int number, TextBytes to) {
    to.add(ALPHABET.charAt(number & ALPHABET.length() - 1));
  }
}
