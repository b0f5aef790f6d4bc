package io.galop.json;

import java.nio.charset.StandardCharsets;

/** Numbers from and to JSON text. */
public final class JsonDecimals {
  private static final long EXACT = 1L << 53;
  private static final int MOST_DECIMALS = 9;
  private static final int SIGNIFICANT = 11;
  private static final double LOG_10_OF_2 = 0.30102999566398;
  private static final double[] POWERS = new double[23];
  private static final long[] LONG_POWERS = new long[16];

  static {
    POWERS[0] = 1;
    LONG_POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
    for (int i = 1; i < LONG_POWERS.length; i++) {
      LONG_POWERS[i] = LONG_POWERS[i - 1] * 10;
    }
  }

  private JsonDecimals() {}

  /**
   * Reads a number. A mantissa below 2^53 over a power of ten up to 10^22 is one exactly rounded
   * division (Clinger, 1990); whatever is longer goes the slow way.
   */
  static double parse(byte[] json, int start, int end) {
    int at = json[start] == '-' ? start + 1 : start;
    long mantissa = 0;
    int decimals = -1;
    for (int i = at; i < end; i++) {
      int digit = json[i] - '0';
      if (digit >= 0 && digit <= 9 && mantissa < EXACT / 16) {
        mantissa = mantissa * 10 + digit;
        decimals += decimals >= 0 ? 1 : 0;
      } else if (json[i] == '.') {
        decimals = 0;
      } else {
        return parseAny(json, start, end);
      }
    }
    if (decimals >= POWERS.length) {
      return parseAny(json, start, end);
    }
    double magnitude = decimals > 0 ? mantissa / POWERS[decimals] : mantissa;
    return at == start ? magnitude : -magnitude;
  }

  private static double parseAny(byte[] json, int start, int end) {
    return Double.parseDouble(new String(json, start, end - start, StandardCharsets.US_ASCII));
  }

  /**
   * Appends the shortest text of a number with up to nine decimals, as JavaScript would print it;
   * beyond, a text that reads back as the same number. The number is finite: JSON has no others.
   */
  public static void append(double value, StringBuilder to) {
    if (value == Math.rint(value) && Math.abs(value) < EXACT) {
      to.append((long) value);
      return;
    }
    for (int decimals = 1; decimals <= MOST_DECIMALS; decimals++) {
      double scaled = Math.rint(value * POWERS[decimals]);
      if (Math.abs(scaled) < EXACT && scaled / POWERS[decimals] == value) {
        appendDecimal((long) scaled, decimals, to);
        return;
      }
    }
    to.append(value);
  }

  /**
   * Appends a number without what binary arithmetic adds behind twelve (or so) significant digits
   * of the values that it comes from: 4.6 - 4.4 is 0.2, and a mean is not 17 digits long.
   *
   * @param magnitude of the largest of those values
   */
  public static void appendRounded(double value, double magnitude, StringBuilder to) {
    int decimals = decimals(magnitude);
    double scaled = decimals < 0 ? EXACT : Math.rint(value * POWERS[decimals]);
    if (Math.abs(scaled) >= EXACT) {
      append(value, to);
      return;
    }
    long digits = (long) scaled;
    while (decimals > 0 && digits % 10 == 0) {
      digits /= 10;
      decimals--;
    }
    appendDecimal(digits, decimals, to);
  }

  /** How many decimals leave twelve or thirteen significant digits; -1 if there is no saying. */
  private static int decimals(double magnitude) {
    int power = (int) (Math.getExponent(magnitude) * LOG_10_OF_2);
    int decimals = SIGNIFICANT - power;
    return magnitude > 0 && decimals >= 0 && decimals < LONG_POWERS.length ? decimals : -1;
  }

  private static void appendDecimal(long digits, int decimals, StringBuilder to) {
    if (digits < 0) {
      to.append('-');
    }
    long magnitude = Math.abs(digits);
    to.append(magnitude / LONG_POWERS[decimals]);
    if (decimals > 0) {
      long fraction = magnitude % LONG_POWERS[decimals];
      to.append('.');
      for (int i = decimals - 1; i > 0 && fraction < LONG_POWERS[i]; i--) {
        to.append('0');
      }
      to.append(fraction);
    }
  }
}
