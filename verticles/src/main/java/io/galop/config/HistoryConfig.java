package io.galop.config;

/** Questions about the past. */
public record HistoryConfig(
    @Doc("Most records that one question may ask for.")
        @Default("10000")
        @Range(min = 1, max = 1_000_000)
        int maxLimit,
    @Doc("Threads that search the RAM tier for answers.") @Default("1") @Range(min = 1, max = 64)
        int readers,
    @Doc("Searches of the RAM tier that may wait for a thread; beyond it they are refused.")
        @Default("256")
        @Range(min = 1, max = 65_536)
        int maxWaiting) {}
