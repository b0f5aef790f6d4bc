package io.galop.persist;

import io.galop.config.persist.LogConfig;
import io.galop.config.persist.PersistConfig;
import io.galop.persist.log.Log;
import io.galop.persist.log.file.LogPosition;
import java.util.concurrent.TimeUnit;

/**
 * Counts how often half of the Log that a start of this node finds again has been written, or half
 * of the time has passed for which it is kept. What was written last two counts ago may be gone
 * soon. Any thread.
 */
final class LogAge {
  private final Log log;
  private final long readBytes;
  private LogPosition begun;
  private long begunNanos;
  private long count;

  /**
   * @param readBytes how much of its end a start reads
   */
  LogAge(Log log, long readBytes, long nowNanos) {
    this.log = log;
    this.readBytes = readBytes;
    this.begun = log.durable();
    this.begunNanos = nowNanos;
  }

  static LogAge of(Log log, PersistConfig config, long nowNanos) {
    return new LogAge(log, Math.max(config.ram().maxBytes(), config.latestLogBytes()), nowNanos);
  }

  synchronized long count(long nowNanos) {
    if (log.bytesAfter(begun) >= halfBytes(log.kept(), readBytes)
        || nowNanos - begunNanos >= halfNanos(log.kept())) {
      begun = log.durable();
      begunNanos = nowNanos;
      count++;
    }
    return count;
  }

  /** What is freed is a whole segment; less than one is never kept. */
  private static long halfBytes(LogConfig kept, long readBytes) {
    long found = Math.min(kept.retentionBytes() - kept.segmentBytes(), readBytes);
    return Math.max(found, kept.segmentBytes()) / 2;
  }

  private static long halfNanos(LogConfig kept) {
    return TimeUnit.HOURS.toNanos(Math.max(1, kept.retentionHours())) / 2;
  }
}
