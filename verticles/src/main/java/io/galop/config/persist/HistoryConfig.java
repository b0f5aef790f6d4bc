package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;

/** Questions about the past. */
public record HistoryConfig(
    @Doc("Most records of one query.") @Default("10000") @Range(min = 1, max = 1_000_000)
        int maxLimit,
    @Doc("Records that one answer of buckets or points is made of, at 50 bytes of heap each.")
        @Default("250000")
        @Range(min = 1_000, max = 100_000_000)
        int maxFolded,
    @Doc("Answers of buckets or points made at a time by an event loop; more get 503.")
        @Default("4")
        @Range(min = 1, max = 64)
        int maxFolds,
    @Doc(
            "Heap of the answers that are under way, one half for pages of records and one for what"
                + " slow clients have not taken; more wait.")
        @Share(part = 16, atMost = 268_435_456)
        @Range(min = 1_048_576, max = 17_179_869_184L)
        long answerBytes,
    @Doc("Threads that search the RAM tier.") @Default("1") @Range(min = 1, max = 64) int readers,
    @Doc("Searches that may wait for a thread.") @Default("256") @Range(min = 1, max = 65_536)
        int maxWaiting,
    @Doc(
            "A search of at most this many bytes runs on the event loop and blocks it: 0.2 ms for"
                + " half a megabyte.")
        @Default("0")
        @Range(min = 0, max = 16_777_216)
        int loopBytes,
    @Doc("Time limit of a store per page.") @Default("2000") @Range(min = 10, max = 60_000)
        long storeTimeoutMs,
    @Doc("Bytes of whole answers cached on a lone storing node, and as many on their way; 0: none.")
        @Share(part = 32, atMost = 67_108_864)
        @Range(min = 0, max = 17_179_869_184L)
        long cacheBytes) {}
