package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;

/** The RAM tier: the newest records, off the Java heap. */
public record RamConfig(
    @Doc("Bytes of the RAM tier, outside the heap.")
        @Share(of = Share.Of.DIRECT, part = 2, atMost = 268_435_456)
        @Range(min = 1_048_576, max = 1_099_511_627_776L)
        long maxBytes,
    @Doc("How long a record stays.") @Default("7200000") @Range(min = 1_000, max = 604_800_000)
        long maxAgeMs) {}
