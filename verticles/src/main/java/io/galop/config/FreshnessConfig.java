package io.galop.config;

import io.galop.record.TopicFilter;

/** How long topics may be silent before browsers are told that what they show is old. */
public record FreshnessConfig(
    @Doc(
            "Topic filter of the topics that this is for. Of several that mean a topic the shortest time counts.")
        String filter,
    @Doc("When a topic is silent for longer, in milliseconds, its browsers are told so.")
        @Range(min = 100, max = 604_800_000)
        long maxAgeMs) {
  private static final int MAX_FILTER_BYTES = 4096;

  public FreshnessConfig {
    TopicFilter.parse(filter, MAX_FILTER_BYTES);
  }
}
