package io.galop.ingest.simulation;

/**
 * The prices that a betting exchange trades at, in hundredths: finer steps for short odds, coarser
 * ones for long odds, from 1.01 to 1000.
 */
final class PriceLadder {
  static final int LOWEST = 101;
  static final int HIGHEST = 100_000;
  private static final int[] UP_TO = {200, 300, 400, 600, 1000, 2000, 3000, 5000, 10_000, HIGHEST};
  private static final int[] STEP = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

  private PriceLadder() {}

  private static int step(int price) {
    int band = 0;
    while (price >= UP_TO[band] && band < UP_TO.length - 1) {
      band++;
    }
    return STEP[band];
  }

  /** The price of the ladder next to decimal odds. */
  static int nearest(double odds) {
    int price = (int) Math.round(Math.min(Math.max(odds * 100, LOWEST), HIGHEST));
    int step = step(price);
    return Math.max(LOWEST, (price + step / 2) / step * step);
  }

  /** The next longer price, or the longest. */
  static int longer(int price) {
    return Math.min(HIGHEST, price + step(price));
  }

  /** The next shorter price, or the shortest. */
  static int shorter(int price) {
    return Math.max(LOWEST, price - step(price - 1));
  }

  /** Writes hundredths as a JSON number. */
  static StringBuilder write(StringBuilder to, long hundredths) {
    long whole = Math.abs(hundredths);
    to.append(hundredths < 0 ? "-" : "").append(whole / 100);
    if (whole % 100 != 0) {
      to.append('.').append(whole / 10 % 10);
      if (whole % 10 != 0) {
        to.append(whole % 10);
      }
    }
    return to;
  }
}
