package io.galop.enrich.script.rhino;

import java.math.BigInteger;

/**
 * A whole number that no long can hold: a number for scripts, not a BigInt, and exact unless used.
 */
final class ExactWhole extends Number {
  private static final long serialVersionUID = 1L;

  private final BigInteger value;

  ExactWhole(BigInteger value) {
    this.value = value;
  }

  BigInteger value() {
    return value;
  }

  @Override
  public int intValue() {
    return value.intValue();
  }

  @Override
  public long longValue() {
    return value.longValue();
  }

  @Override
  public float floatValue() {
    return value.floatValue();
  }

  @Override
  public double doubleValue() {
    return value.doubleValue();
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
