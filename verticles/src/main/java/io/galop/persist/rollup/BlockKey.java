package io.galop.persist.rollup;

import java.util.concurrent.TimeUnit;

/**
 * Whose minutes a {@link MinuteBlock} has. One for each epoch: who owned the shard in it has placed
 * all its records and counts all of them, while a node with copies may count some of them too. So
 * of several nodes' blocks with one key the one that counts most is right, and none is added twice.
 *
 * @param hour of event time, since 1970 UTC
 * @param field its path
 * @param epoch of the topic's shard
 */
record BlockKey(long hour, String field, String topic, long epoch) {
  static final long HOUR_US = TimeUnit.HOURS.toMicros(1);
  static final long MINUTE_US = TimeUnit.MINUTES.toMicros(1);

  static long hour(long timeUs) {
    return Math.floorDiv(timeUs, HOUR_US);
  }

  static int minute(long timeUs) {
    return (int) (Math.floorMod(timeUs, HOUR_US) / MINUTE_US);
  }
}
