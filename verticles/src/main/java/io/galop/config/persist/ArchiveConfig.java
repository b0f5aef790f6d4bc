package io.galop.config.persist;

import io.galop.config.enrich.EnricherConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Files of a directory that other tools read. */
@Brick("archive")
@Doc("Compressed NDJSON files by topic prefix, day and hour, which get each record once.")
public record ArchiveConfig(
    @Doc("Its name in meters, status, messages and file names.") @Default("archive") String name,
    @Doc("The directory of the files; made if missing.") String directory,
    @Doc("Filters of the topics that are kept.") @Default("[\"#\"]") List<String> topics,
    @Doc("Keeps one in this many records, chosen by topic and id.")
        @Default("1")
        @Range(min = 1, max = 1_000_000)
        int every,
    @Doc("Levels of the topic that each have files of their own; 0: one file for all topics.")
        @Default("1")
        @Range(min = 0, max = 9)
        int prefixLevels,
    @Doc("Compressed size at which a file is finished.")
        @Default("67108864")
        @Range(min = 1_024, max = 17_179_869_184L)
        long maxFileBytes,
    @Doc("Age at which a file is finished, and so is seen by others.")
        @Default("900")
        @Range(min = 1, max = 86_400)
        int maxFileSeconds,
    @Doc("Unfinished files between batches; beyond, the oldest is finished.")
        @Default("64")
        @Range(min = 1, max = 4_096)
        int maxOpenFiles,
    @Doc("gzip's level, from fast to small.") @Default("6") @Range(min = 1, max = 9)
        int compressionLevel,
    @Doc("Approximate bytes that are written and synced at once, uncompressed.")
        @Default("4194304")
        @Range(min = 1024, max = 67_108_864)
        int batchBytes,
    @Doc("How long a batch waits for more records.") @Default("5000") @Range(min = 0, max = 20_000)
        int batchMs,
    @Doc("Hours that a finished file is kept; 0 for ever.")
        @Default("0")
        @Range(min = 0, max = 876_000)
        int retentionHours,
    @Doc("Time limit of a batch; then the directory counts as not answering.")
        @Default("60000")
        @Range(min = 100, max = 600_000)
        long timeoutMs,
    @Doc("Longest pause between attempts; the first is 100 and each doubles.")
        @Default("10000")
        @Range(min = 100, max = 600_000)
        long maxPauseMs,
    @Doc("Lag at which the node is unready; 0 never.") @Default("0") @Range(min = 0, max = 86_400)
        int unreadyLagSeconds)
    implements StoreConfig {

  /** As many as fit into the bytes of a batch, however small they are. */
  private static final int BATCH_RECORDS = 100_000;

  /** It takes every record, so that there are none. */
  private static final long LETTER_BYTES = 1 << 20;

  public ArchiveConfig {
    StoreConfig.checkName(name);
    EnricherConfig.require("directory", directory);
    topics = EnricherConfig.checkedTopics(topics);
  }

  /** One batch after the other, which is what the files rely on. */
  @Override
  public SinkConfig sink() {
    return new SinkConfig(
        Driver.SYNC,
        BATCH_RECORDS,
        batchBytes,
        batchMs,
        1,
        batchBytes,
        timeoutMs,
        maxPauseMs,
        1,
        LETTER_BYTES,
        unreadyLagSeconds);
  }

  /** Only what the filters choose. */
  @Override
  public SamplingConfig sampling() {
    return SamplingConfig.only(topics, every);
  }
}
