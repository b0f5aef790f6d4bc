package io.galop.loadtest.experiments.state;

import org.jspecify.annotations.Nullable;

/** The windows of all topics. */
interface State {
  /**
   * Takes some records; returns when they are in their windows. Several threads may call it.
   *
   * @param count how many of each array count
   */
  void take(String[] topics, double[] prices, int count);

  /** What is kept of a topic, null if nothing is; for who asks when nobody else does anything. */
  @Nullable PriceWindow window(String topic);
}
