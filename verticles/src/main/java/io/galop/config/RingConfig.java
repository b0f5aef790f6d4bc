package io.galop.config;

/** The newest records of all shards, kept once per broadcast node and read by all its browsers. */
public record RingConfig(
    @Doc("How much memory the records may take, in bytes.")
        @Share(part = 16, atMost = 67_108_864)
        @Range(min = 65_536, max = 17_179_869_184L)
        long maxBytes,
    @Doc("How many records it may hold.") @Default("262144") @Range(min = 16, max = 67_108_864)
        int maxRecords) {}
