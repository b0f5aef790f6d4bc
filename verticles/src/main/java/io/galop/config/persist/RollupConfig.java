package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;
import java.util.List;

/** Values of fields by the minute, kept beside the records and for as long as one likes. */
public record RollupConfig(
    @Doc("What is rolled up; every node is given the same.") @Default("[]") List<RollupRule> rules,
    @Doc("Hours that a minute is kept, by event time; 0 for ever.")
        @Default("0")
        @Range(min = 0, max = 876_000)
        int retentionHours,
    @Doc("Size of what is used of the file at which the oldest hours go; 0: unlimited.")
        @Default("0")
        @Range(min = 0)
        long maxBytes,
    @Doc("Longest time between two writes to the file; memory has what is newer.")
        @Default("10000")
        @Range(min = 10, max = 20_000)
        int flushMs,
    @Doc("Approximate bytes of heap for the minutes of the present hours.")
        @Share(part = 32, atMost = 67_108_864)
        @Range(min = 65_536, max = 17_179_869_184L)
        long heapBytes) {
  public RollupConfig {
    rules = List.copyOf(rules);
  }
}
