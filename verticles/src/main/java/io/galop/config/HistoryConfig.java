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
        int maxWaiting,
    @Doc(
            "A search of the RAM tier that has at most so many bytes to look at runs at once on the"
                + " event loop that is asked; a longer one, and with 0 each, on a thread of"
                + " `readers`. Meanwhile nothing else happens on that event loop: half a megabyte"
                + " and an answer of 100 records take about 0.2 ms.")
        @Default("0")
        @Range(min = 0, max = 16_777_216)
        int loopBytes,
    @Doc(
            "How long a store may take for a page of an answer, in milliseconds; beyond it the"
                + " answer goes without and names it.")
        @Default("2000")
        @Range(min = 10, max = 60_000)
        long storeTimeoutMs,
    @Doc(
            "Bytes of whole answers that are kept while nothing new has come, for others who ask"
                + " the same; 0 keeps none. As many again may be on their way to slow readers. Only"
                + " where no other node stores records.")
        @Share(part = 32, atMost = 67_108_864)
        @Range(min = 0, max = 17_179_869_184L)
        long cacheBytes) {}
