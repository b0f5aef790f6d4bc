package io.galop.loadtest.experiments.state;

/**
 * What is kept of a topic.
 *
 * @param count records
 * @param sum of their prices
 * @param least price
 * @param most price
 */
record Window(long count, double sum, double least, double most) {
  static final Window EMPTY = new Window(0, 0, Double.MAX_VALUE, -Double.MAX_VALUE);

  Window with(double price) {
    return new Window(count + 1, sum + price, Math.min(least, price), Math.max(most, price));
  }
}
