package io.galop.persist.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Breaks a promise on purpose, so that a test of the promise can be seen to fail. System property
 * {@code galop.test.fault}, refused unless {@code galop.test.faults} is {@code allowed}.
 */
public enum Fault {
  NONE("", 0),
  /**
   * Acknowledged data stays in memory for two seconds, as it would in the page cache, which a power
   * cut loses and {@code kill -9} does not.
   */
  NO_FSYNC("no-fsync", 2_000),
  /** Acknowledged before it is written, to a disk that is slow enough to notice. */
  EARLY_ACK("early-ack", 250),
  /** The owner of a shard does not know an id again. */
  NO_DEDUP("no-dedup", 0),
  /** A sink's cursor passes what its store, slow enough to notice, has not answered for. */
  EARLY_CURSOR("early-cursor", 0);

  private static final Logger LOG = LoggerFactory.getLogger(Fault.class);
  private final String word;
  private final int holdMs;

  Fault(String word, int holdMs) {
    this.word = word;
    this.holdMs = holdMs;
  }

  /** How long a group of the Log is held back before it is written, acknowledged already. */
  int holdMs() {
    return holdMs;
  }

  /** The fault that the system properties ask for. */
  static Fault configured() {
    String wanted = System.getProperty("galop.test.fault", "");
    for (Fault fault : values()) {
      if (fault.word.equals(wanted)) {
        return fault.allowed();
      }
    }
    throw new LogException(
        "galop.test.fault is '"
            + wanted
            + "'; allowed are no-fsync, early-ack, no-dedup and early-cursor");
  }

  private Fault allowed() {
    if (this == NONE) {
      return this;
    }
    if (!System.getProperty("galop.test.faults", "").equals("allowed")) {
      throw new LogException(
          "galop.test.fault makes the node lose or double acknowledged records and is for tests"
              + " only; remove it, or set galop.test.faults=allowed");
    }
    LOG.error(
        "ACKNOWLEDGED RECORDS WILL BE LOST OR DOUBLED: the test fault {} is switched on", word);
    return this;
  }
}
