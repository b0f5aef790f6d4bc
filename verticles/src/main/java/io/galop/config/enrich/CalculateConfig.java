package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Adds figures over a sliding window of one field of each topic. */
@Brick("calculate")
@Doc("Adds count, min, max, mean and last change of a field over a sliding window per topic.")
public record CalculateConfig(
    @Doc("Filters of the step's topics.") @Default("[\"#\"]") List<String> topics,
    @Doc("The field with the number; records without it pass unchanged.") String field,
    @Doc("The field for the results.") @Default("window") String into,
    @Doc(
            "Window of event time before the topic's newest; older records are not in it. 0: unlimited."
                + " A time more than a minute ahead of the node's clock counts as a minute ahead.")
        @Default("60000")
        @Range(min = 0, max = 31_536_000_000L)
        long windowMs,
    @Doc("Samples per window, 40 bytes each.") @Default("256") @Range(min = 1, max = 1_000_000)
        int maxSamples,
    @Doc("Windows per event loop; beyond, the longest silent topic's goes.")
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
