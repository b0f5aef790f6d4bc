package io.galop.config;

/** What browsers that come back after an interruption may cost. */
public record ResumeConfig(
    @Doc("How many of them the node asks the shards' owners for at the same time.")
        @Default("8")
        @Range(min = 1, max = 1024)
        int maxConcurrent,
    @Doc(
            "How many registrations may wait for their snapshot or resume; a connection with one"
                + " more is told to come back later.")
        @Default("50000")
        @Range(min = 1, max = 10_000_000)
        int maxWaiting,
    @Doc(
            "How much memory records fetched from the owners may take until the browsers have them,"
                + " in bytes; beyond it a resume is answered as incomplete, with a snapshot.")
        @Share(part = 32, atMost = 33_554_432)
        @Range(min = 65_536, max = 17_179_869_184L)
        long maxBytes) {}
