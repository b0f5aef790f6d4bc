package io.galop.loadtest.experiments.state;

/**
 * What is kept of a topic.
 *
 * @param count records
 * @param sum of their prices
 * @param least price
 * @param most price
 */
record PriceWindow(long count, double sum, double least, double most) {
  static final PriceWindow EMPTY = new PriceWindow(0, 0, Double.MAX_VALUE, -Double.MAX_VALUE);

  PriceWindow with(double price) {
    return new PriceWindow(count + 1, sum + price, Math.min(least, price), Math.max(most, price));
  }
}
