package io.galop.config.broadcast;

import io.galop.record.TopicFilter;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.Optional;

/** What viewers are sent of some topics at most, whatever they ask for. */
public record CapConfig(
    @Doc("Topic filter.") String topics,
    @Doc("Most records per second and topic; by default any number.")
        @Range(min = 0.001, max = 1_000_000)
        Optional<Double> maxRate,
    @Doc(
            "Most bytes of records per second for a connection's registrations that match some of"
                + " the topics; by default any number.")
        @Range(min = 100, max = 1_000_000_000)
        Optional<Long> maxBytesPerSecond) {
  private static final int MAX_FILTER_BYTES = 4096;

  public CapConfig {
    try {
      TopicFilter.parse(topics, MAX_FILTER_BYTES);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("topics must be a topic filter, " + e.getMessage(), e);
    }
    if (maxRate.isEmpty() && maxBytesPerSecond.isEmpty()) {
      throw new IllegalArgumentException(
          "must limit something: give maxRate, maxBytesPerSecond or both");
    }
  }
}
