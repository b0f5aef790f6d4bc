package io.galop.loadtest.experiments.state;

/** The windows of all topics. */
interface State {
  /**
   * Takes some records; returns when they are in their windows. Several threads may call it.
   *
   * @param count how many of each array count
   */
  void take(String[] topics, double[] prices, int count);

  /** What is kept of a topic, for who asks when nobody else does anything. */
  PriceWindow window(String topic);
}
