package io.galop.enrich.script;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** How many bytes of the heap plain values of a state take: rather too many than too few. */
final class StateBytes {
  /** A map or list without what is in it, with what a language made to show it. */
  static final int CONTAINER = 256;

  private static final int ENTRY = 48;
  private static final int ELEMENT = 8;
  private static final int TEXT = 56;
  private static final int NUMBER = 24;
  private static final int LARGE_NUMBER = 104;

  private StateBytes() {}

  /** Of an entry of a map; a map or list in it counts for itself. */
  static long entry(Object key, @Nullable Object value) {
    return ENTRY + of(key) + of(value);
  }

  /** Of an element of a list; a map or list in it counts for itself. */
  static long element(@Nullable Object value) {
    return ELEMENT + of(value);
  }

  private static long of(@Nullable Object value) {
    if (value instanceof String text) {
      return TEXT + 2L * text.length();
    }
    if (value instanceof BigInteger number) {
      return LARGE_NUMBER + number.bitLength() / 8;
    }
    if (value instanceof BigDecimal number) {
      return LARGE_NUMBER + number.unscaledValue().bitLength() / 8;
    }
    return value instanceof Number ? NUMBER : 0;
  }
}
