package io.galop.loadtest.scenario;

/** How values are written. */
final class Words {
  private Words() {}

  /** Without a point where the number is whole. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
