package io.galop.client;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What operators' caps leave of a subscription; what is empty is not limited.
 *
 * @param maxRate most records per second of each topic
 * @param maxBytesPerSecond most bytes of records per second
 * @param lower topics with a lower rate; the lowest that matches a topic holds
 * @param more how many are not listed in {@code lower}
 */
public record Caps(
    OptionalDouble maxRate, OptionalLong maxBytesPerSecond, List<Lower> lower, int more) {
  /** No cap concerns the subscription. */
  public static final Caps NONE =
      new Caps(OptionalDouble.empty(), OptionalLong.empty(), List.of(), 0);

  public Caps {
    lower = List.copyOf(lower);
  }

  /**
   * Topics whose rate is lower than that of the others.
   *
   * @param topics a filter
   * @param maxRate most records per second of each topic
   */
  public record Lower(String topics, double maxRate) {}
}
