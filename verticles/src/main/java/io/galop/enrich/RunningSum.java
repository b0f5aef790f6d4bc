package io.galop.enrich;

/** A sum that carries along what its additions round away (Neumaier, 1974). */
final class RunningSum {
  private double sum;
  private double rest;

  void add(double value) {
    double larger = sum + value;
    rest += Math.abs(sum) >= Math.abs(value) ? (sum - larger) + value : (value - larger) + sum;
    sum = larger;
  }

  double value() {
    return sum + rest;
  }

  void clear() {
    sum = 0;
    rest = 0;
  }
}
