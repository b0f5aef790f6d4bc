package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Lets one record in so many of each topic pass and drops the others. */
@Brick("sample")
@Doc("Passes some records of each topic, beginning with the first.")
public record SampleConfig(
    @Doc("Filters of the step's topics.") @Default("[\"#\"]") List<String> topics,
    @Doc("Passes one in this many records.") @Range(min = 1, max = 1_000_000_000) int every,
    @Doc("Counted topics per event loop; beyond, the longest silent one starts again.")
        @Default("10000")
        @Range(min = 1, max = 10_000_000)
        int maxTopics)
    implements EnricherConfig {
  public SampleConfig {
    topics = EnricherConfig.checkedTopics(topics);
  }
}
