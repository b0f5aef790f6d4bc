package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Which records a store keeps. */
public record SamplingConfig(
    @Doc(
            "Without a rule, keeps one in this many records, chosen by topic and id, "
                + "and all of Galop's own topics.")
        @Default("5")
        @Range(min = 1, max = 1_000_000)
        int every,
    @Doc("Rules for some topics; the first match decides.") @Default("[]") List<SamplingRule> rules,
    @Doc(
            "Topics whose last record of an interval waits; beyond, the longest "
                + "waiting is stored.")
        @Default("100000")
        @Range(min = 1, max = 10_000_000)
        int maxWaitingTopics) {
  public SamplingConfig {
    rules = List.copyOf(rules);
  }

  /** Keeps one in so many records of some topics, and no others. */
  public static SamplingConfig only(List<String> filters, int every) {
    return new SamplingConfig(0, List.of(new SamplingRule(filters, every, 0)), 1);
  }

  /** Keeps one in so many. */
  public static SamplingConfig every(int every) {
    return new SamplingConfig(every, List.of(), 1);
  }
}
