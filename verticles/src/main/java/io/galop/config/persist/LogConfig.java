package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;

/** The Log: the journal that makes a record durable. */
public record LogConfig(
    @Doc(
            "Size of a segment file, allocated ahead. A record takes a fifth of it at most; what "
                + "enrichment makes larger becomes a dead letter. The same on all nodes.")
        @Default("67108864")
        @Range(min = 65_536, max = 1_073_741_824)
        int segmentBytes,
    @Doc("Bytes that may wait for the disk.")
        @Share(part = 64, atMost = 8_388_608)
        @Range(min = 8_192, max = 268_435_456)
        int queueBytes,
    @Doc("Size of the Log kept after every store has it.") @Default("1073741824") @Range(min = 0)
        long retentionBytes,
    @Doc("Age of the Log kept after every store has it.")
        @Default("24")
        @Range(min = 0, max = 87_600)
        int retentionHours,
    @Doc(
            "Largest Log while a store is slow or away; beyond, Galop refuses records "
                + "(over_quota).")
        @Default("8589934592")
        @Range(min = 262_144)
        long quotaBytes,
    @Doc("Free disk below which Galop refuses records (over_quota).")
        @Default("268435456")
        @Range(min = 0)
        long minFreeBytes) {
  /** A record may take so much of a segment; the Log itself allows a quarter. */
  private static final int LARGEST_PART = 5;

  public LogConfig {
    if (queueBytes > segmentBytes / 8) {
      throw new IllegalArgumentException(
          "queueBytes must be at most an eighth of segmentBytes: what waits has to fit into what is"
              + " left of a segment");
    }
    if (quotaBytes < retentionBytes + 3L * segmentBytes) {
      throw new IllegalArgumentException(
          "quotaBytes must be at least retentionBytes and three times segmentBytes: otherwise what"
              + " is kept alone reaches the quota");
    }
  }

  /** The largest record, with its names, that an owner takes. */
  public int largestRecordBytes() {
    return segmentBytes / LARGEST_PART;
  }
}
