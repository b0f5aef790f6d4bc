package io.galop.config.broadcast;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;

/** The newest records of all shards, kept once per broadcast node and read by all its browsers. */
public record RingConfig(
    @Doc("Memory of the records.")
        @Share(part = 16, atMost = 67_108_864)
        @Range(min = 65_536, max = 17_179_869_184L)
        long maxBytes,
    @Doc("Most records.") @Default("262144") @Range(min = 16, max = 67_108_864) int maxRecords) {}
