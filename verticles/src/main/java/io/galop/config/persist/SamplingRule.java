package io.galop.config.persist;

import io.galop.config.enrich.EnricherConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Which records of some topics are kept. */
public record SamplingRule(
    @Doc("Topic filters of the rule.") List<String> topics,
    @Doc("Keeps one in this many records; 0 with latestMs.")
        @Default("0")
        @Range(min = 0, max = 1_000_000)
        int every,
    @Doc("Keeps the last record per topic and interval; 0 with every.")
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
