package io.galop.config.broadcast;

import io.galop.record.TopicFilter;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** How long topics may be silent before browsers are told that what they show is old. */
public record FreshnessConfig(
    @Doc("Topic filter.") String filter,
    @Doc("Silence until a topic's browsers get a notice.") @Range(min = 100, max = 604_800_000)
        long maxAgeMs) {
  private static final int MAX_FILTER_BYTES = 4096;

  public FreshnessConfig {
    TopicFilter.parse(filter, MAX_FILTER_BYTES);
  }
}
