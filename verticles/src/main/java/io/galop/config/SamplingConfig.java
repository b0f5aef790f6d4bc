package io.galop.config;

import java.util.List;

/** Which records a store keeps. */
public record SamplingConfig(
    @Doc(
            "One in so many records is kept, chosen by its id, where no rule says otherwise;"
                + " Galop's own topics are all kept.")
        @Default("5")
        @Range(min = 1, max = 1_000_000)
        int every,
    @Doc("Rules for some topics; the first that a topic matches decides.") @Default("[]")
        List<SamplingRule> rules,
    @Doc(
            "For how many topics the last record of an interval waits; beyond it the one that has"
                + " waited longest is kept.")
        @Default("100000")
        @Range(min = 1, max = 10_000_000)
        int maxWaitingTopics) {
  public SamplingConfig {
    rules = List.copyOf(rules);
  }

  /** Keeps one in so many. */
  public static SamplingConfig every(int every) {
    return new SamplingConfig(every, List.of(), 1);
  }
}
