package io.galop.json;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Numbers as JSON, the same in every language: whole ones without '.0', others with the fewest
 * digits that mean the same double, as ECMAScript writes them.
 */
final class NumberText {
  private static final double EXACT = 9_007_199_254_740_992d;

  /** From this power of ten on ECMAScript writes an exponent, and below that one. */
  private static final int LARGEST_PLAIN = 21;

  private static final int SMALLEST_PLAIN = -6;

  private NumberText() {}

  /** Appends a number that is finite. */
  static void append(StringBuilder to, Number number) {
    if (number instanceof Double || number instanceof Float) {
      append(to, doubleOf(number));
    } else if (number instanceof BigDecimal decimal) {
      append(to, decimal);
    } else if (number instanceof BigInteger) {
      to.append(number);
    } else {
      appendOther(to, number);
    }
  }

  /** A whole one of any type, such as an AtomicLong, has all its digits. */
  private static void appendOther(StringBuilder to, Number number) {
    long whole = number.longValue();
    double value = number.doubleValue();
    if (whole == value) {
      to.append(whole);
    } else {
      append(to, value);
    }
  }

  /** A Float means the digits that it is shown with. */
  private static double doubleOf(Number number) {
    return number instanceof Float ? Double.parseDouble(number.toString()) : number.doubleValue();
  }

  private static void append(StringBuilder to, double value) {
    if (value == Math.rint(value) && Math.abs(value) < EXACT) {
      to.append((long) value);
    } else {
      BigDecimal digits = new BigDecimal(NumberOutput.toString(value, true)).stripTrailingZeros();
      append(to, digits.signum() < 0, digits.unscaledValue().abs().toString(), digits.scale());
    }
  }

  private static void append(StringBuilder to, BigDecimal decimal) {
    BigDecimal digits = decimal.stripTrailingZeros();
    append(to, digits.signum() < 0, digits.unscaledValue().abs().toString(), digits.scale());
  }

  /** The value is digits / 10^scale. */
  private static void append(StringBuilder to, boolean negative, String digits, int scale) {
    if (negative) {
      to.append('-');
    }
    int point = digits.length() - scale;
    if (point > LARGEST_PLAIN || point < SMALLEST_PLAIN + 1) {
      exponent(to, digits, point - 1);
    } else if (point <= 0) {
      to.append("0.").append("0".repeat(-point)).append(digits);
    } else if (scale <= 0) {
      to.append(digits).append("0".repeat(-scale));
    } else {
      to.append(digits, 0, point).append('.').append(digits, point, digits.length());
    }
  }

  private static void exponent(StringBuilder to, String digits, int exponent) {
    to.append(digits.charAt(0));
    if (digits.length() > 1) {
      to.append('.').append(digits, 1, digits.length());
    }
    to.append('e').append(exponent < 0 ? '-' : '+').append(Math.abs(exponent));
  }
}
