package io.galop.config.broadcast;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;

/** What browsers that come back after an interruption may cost. */
public record ResumeConfig(
    @Doc("Concurrent resumes from shard owners; one more per shard whose owner did not answer.")
        @Default("8")
        @Range(min = 1, max = 1024)
        int maxConcurrent,
    @Doc("Registrations that may wait for a snapshot or resume.")
        @Default("50000")
        @Range(min = 1, max = 10_000_000)
        int maxWaiting,
    @Doc("Memory of fetched records; beyond, a resume is incomplete.")
        @Share(part = 32, atMost = 33_554_432)
        @Range(min = 65_536, max = 17_179_869_184L)
        long maxBytes) {}
