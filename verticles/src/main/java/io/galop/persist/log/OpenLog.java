package io.galop.persist.log;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a Log that is open. */
record OpenLog(
    long id,
    LogRecovery recovery,
    List<RecoveredShard> shards,
    DirectoryLock lock,
    Segments segments,
    Retention retention,
    CursorLimits limits,
    ExtentFile extent,
    Spare spare,
    Keeper keeper,
    AppendQueue queue,
    Durable durable,
    LogWriter writer,
    Thread thread,
    LogMetrics metrics,
    Fault fault) {
  private static final Logger LOG = LoggerFactory.getLogger(OpenLog.class);
  private static final long LONGEST_FLUSH_MS = 10_000;

  /** Whether what may be in flight would not fit into what there is on disk. */
  boolean isShortOfRoom(long inFlightBytes) {
    return !spare.isReady() && writer.left() < inFlightBytes;
  }

  /** Whether that is so because there is no room for another segment. */
  boolean isOverQuota(long inFlightBytes) {
    return spare.isNoRoom() && isShortOfRoom(inFlightBytes);
  }

  void close() {
    queue.close(new Refusal(Why.NOT_READY, "the Log is closing"));
    try {
      thread.join(LONGEST_FLUSH_MS);
      keeper.close();
      thread.join(LONGEST_FLUSH_MS);
      extent.close();
      lock.close();
    } catch (IOException e) {
      LOG.warn("the Log could not be closed: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
