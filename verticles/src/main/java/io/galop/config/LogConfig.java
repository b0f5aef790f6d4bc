package io.galop.config;

/** The Log: the journal that makes a record durable. */
public record LogConfig(
    @Doc(
            "Size of one segment file, in bytes. Segments are allocated ahead, so that an append"
                + " never waits for the file system to find room.")
        @Default("67108864")
        @Range(min = 65_536, max = 1_073_741_824)
        int segmentBytes,
    @Doc(
            "How much may wait for the disk, in bytes. Beyond it the owner of a shard takes nothing"
                + " more until a group is on disk.")
        @Share(part = 64, atMost = 8_388_608)
        @Range(min = 8_192, max = 268_435_456)
        int queueBytes,
    @Doc(
            "How much of the Log is kept, in bytes, once every store has taken it. Restarted nodes"
                + " and new owners fill their RAM tier from it.")
        @Default("1073741824")
        @Range(min = 0)
        long retentionBytes,
    @Doc("How long the Log is kept, in hours, once every store has taken it.")
        @Default("24")
        @Range(min = 0, max = 87_600)
        int retentionHours,
    @Doc(
            "How large the Log may grow, in bytes, while a store is slow or away. When it is"
                + " reached, records are refused (over_quota) until there is room again.")
        @Default("8589934592")
        @Range(min = 262_144)
        long quotaBytes,
    @Doc("Records are refused (over_quota) rather than leaving less than this free, in bytes.")
        @Default("268435456")
        @Range(min = 0)
        long minFreeBytes) {
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
}
