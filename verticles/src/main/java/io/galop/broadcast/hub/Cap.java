package io.galop.broadcast.hub;

import io.galop.config.broadcast.CapConfig;
import io.galop.record.TopicFilter;

/**
 * What a registration may be sent of some topics at most.
 *
 * @param topics which ones
 * @param maxRate most records per second and topic; 0 is unlimited
 * @param maxBytesPerSecond most bytes of records per second; 0 is unlimited
 */
record Cap(TopicFilter topics, double maxRate, long maxBytesPerSecond) {
  static Cap of(CapConfig config) {
    TopicFilter topics = TopicFilter.parse(config.topics(), Integer.MAX_VALUE);
    return new Cap(topics, config.maxRate().orElse(0.0), config.maxBytesPerSecond().orElse(0L));
  }
}
