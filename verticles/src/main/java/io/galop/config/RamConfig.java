package io.galop.config;

/** The RAM tier: the newest records, off the Java heap. */
public record RamConfig(
    @Doc(
            "How much the RAM tier of this node may hold, all shards together, in bytes. Taken"
                + " when it is needed; the Java option -XX:MaxDirectMemorySize must allow for it.")
        @Share(of = Share.Of.DIRECT, part = 2, atMost = 268_435_456)
        @Range(min = 1_048_576, max = 1_099_511_627_776L)
        long maxBytes,
    @Doc("How long a record stays in the RAM tier, in milliseconds.")
        @Default("7200000")
        @Range(min = 1_000, max = 604_800_000)
        long maxAgeMs) {}
