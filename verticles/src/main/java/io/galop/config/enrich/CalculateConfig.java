package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Adds figures over a sliding window of one field of each topic. */
@Brick("calculate")
@Doc(
    "Adds count, min, max, mean and the last change of a numeric field "
        + "over a sliding window per topic.")
public record CalculateConfig(
    @Doc("Topic filters of this step; other records pass unchanged.") @Default("[\"#\"]")
        List<String> topics,
    @Doc("The field of data with the number; a record without it passes unchanged.") String field,
    @Doc("The field of data for the results.") @Default("window") String into,
    @Doc("Length of the window back from the topic's newest event time; 0: unlimited.")
        @Default("60000")
        @Range(min = 0, max = 31_536_000_000L)
        long windowMs,
    @Doc("Most samples per window, 40 bytes each; beyond, the oldest leaves.")
        @Default("256")
        @Range(min = 1, max = 1_000_000)
        int maxSamples,
    @Doc(
            "Topics with a window per event loop; beyond, the longest silent one "
                + "loses its window.")
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
