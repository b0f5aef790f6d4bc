package io.galop.enrich;

import java.nio.charset.StandardCharsets;

/** Numbers from and to JSON text. */
final class JsonNumber {
  private static final long EXACT = 1L << 53;
  private static final int MOST_DECIMALS = 9;
  private static final double[] POWERS = new double[23];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private JsonNumber() {}

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
   * The shortest text of a number with up to nine decimals, as JavaScript would print it; beyond, a
   * text that reads back as the same number. Infinite and undefined ones do not exist in JSON.
   */
  static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < EXACT) {
      return Long.toString((long) value);
    }
    for (int decimals = 1; decimals <= MOST_DECIMALS; decimals++) {
      double scaled = Math.rint(value * POWERS[decimals]);
      if (Math.abs(scaled) < EXACT && scaled / POWERS[decimals] == value) {
        return decimal((long) scaled, decimals);
      }
    }
    return Double.toString(value);
  }

  private static String decimal(long scaled, int decimals) {
    String digits = Long.toString(Math.abs(scaled));
    String padded = "0".repeat(Math.max(0, decimals + 1 - digits.length())) + digits;
    int dot = padded.length() - decimals;
    return (scaled < 0 ? "-" : "") + padded.substring(0, dot) + '.' + padded.substring(dot);
  }

  /**
   * Takes away what binary arithmetic adds behind twelve significant digits of the values that a
   * result comes from, so that 4.6 - 4.4 is 0.2.
   *
   * @param magnitude of the largest of those values
   */
  static double rounded(double result, double magnitude) {
    int decimals = 11 - (int) Math.floor(Math.log10(magnitude));
    if (!(magnitude > 0) || decimals < 0 || decimals >= POWERS.length) {
      return result;
    }
    double scaled = Math.rint(result * POWERS[decimals]);
    return Math.abs(scaled) < EXACT ? scaled / POWERS[decimals] : result;
  }
}
