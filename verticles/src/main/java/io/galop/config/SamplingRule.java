package io.galop.config;

import java.util.List;

/** Which records of some topics are kept. */
public record SamplingRule(
    @Doc("Topic filters of the records that the rule is for.") List<String> topics,
    @Doc("One in so many records is kept, chosen by its id; 0 where latestMs is given.")
        @Default("0")
        @Range(min = 0, max = 1_000_000)
        int every,
    @Doc(
            "Of each topic the last record of each interval of event time so long is kept, in"
                + " milliseconds; 0 where every is given.")
        @Default("0")
        @Range(min = 0, max = 3_600_000)
        long latestMs) {
  public SamplingRule {
    topics = EnricherConfig.checkedTopics(topics);
    if ((every == 0) == (latestMs == 0)) {
      throw new IllegalArgumentException(
          "every must be given, or latestMs instead; 'every: 1' keeps all");
    }
  }
}
