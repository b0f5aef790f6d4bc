package io.galop.loadtest.experiments.relays;

import java.util.concurrent.TimeUnit;

/**
 * A process that was killed and started again.
 *
 * @param level its level; 0 is the node that stores
 * @param fromNs since when all had worked before
 * @param killedNs when it was killed
 * @param startedNs when it was started again
 * @param untilNs when all worked again, or was given up
 * @param missing what did not work then, in words; empty if all did
 */
record Kill(
    int level,
    String process,
    long fromNs,
    long killedNs,
    long startedNs,
    long untilNs,
    String missing) {
  boolean isHealed() {
    return missing.isEmpty();
  }

  /** How long it took from when it was started again. */
  long healMs() {
    return TimeUnit.NANOSECONDS.toMillis(untilNs - startedNs);
  }

  /** Whether something happened since all had worked before. */
  boolean covers(long atNs) {
    return atNs - fromNs >= 0 && atNs - untilNs < 0;
  }
}
