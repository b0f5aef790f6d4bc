package io.galop.config;

import java.util.List;

/** Adds figures over a sliding window of one field of each topic. */
@Brick("calculate")
@Doc(
    "Adds count, min, max, mean and the last change of a numeric field over a sliding window of"
        + " each topic.")
public record CalculateConfig(
    @Doc("Topic filters of the records that this step is for; the others pass it by.")
        @Default("[\"#\"]")
        List<String> topics,
    @Doc("The field of data that holds the number; a record without it passes unchanged.")
        String field,
    @Doc("The field of data that the figures are added under.") @Default("window") String into,
    @Doc(
            "How far back the window reaches from the newest event time of the topic, in"
                + " milliseconds; 0: any time.")
        @Default("60000")
        @Range(min = 0, max = 31_536_000_000L)
        long windowMs,
    @Doc("The most samples in a window; beyond, the oldest leaves it. 40 bytes each.")
        @Default("256")
        @Range(min = 1, max = 1_000_000)
        int maxSamples,
    @Doc(
            "For how many topics each event loop keeps a window; beyond, the window of the topic"
                + " that was silent for the longest is forgotten.")
        @Default("10000")
        @Range(min = 1, max = 10_000_000)
        int maxTopics)
    implements EnricherConfig {
  public CalculateConfig {
    topics = EnricherConfig.checkedTopics(topics);
    EnricherConfig.require("field", field);
    EnricherConfig.require("into", into);
  }
}
