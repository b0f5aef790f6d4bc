package io.galop.config;

import java.util.List;

/** Lets one record in so many of each topic pass and drops the others. */
@Brick("sample")
@Doc("Lets one record in so many of each topic pass, the first one to begin with.")
public record SampleConfig(
    @Doc("Topic filters of the records that this step is for; the others pass it by.")
        @Default("[\"#\"]")
        List<String> topics,
    @Doc("One record in so many passes.") @Range(min = 1, max = 1_000_000_000) int every,
    @Doc(
            "For how many topics each event loop counts; beyond, the topic that was silent for the"
                + " longest is forgotten and begins again.")
        @Default("10000")
        @Range(min = 1, max = 10_000_000)
        int maxTopics)
    implements EnricherConfig {
  public SampleConfig {
    topics = EnricherConfig.checkedTopics(topics);
  }
}
