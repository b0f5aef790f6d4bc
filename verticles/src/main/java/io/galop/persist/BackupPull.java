package io.galop.persist;

import io.galop.persist.ram.ShardMemory;
import io.galop.persist.store.Backup;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a shard's memory from the backup tier behind what is in it, where the node that had the
 * shard is gone with its Log. The last records of that node may not have reached the backup, so
 * nobody takes it for complete; but snapshots and history have what is there.
 */
final class BackupPull {
  private static final Logger LOG = LoggerFactory.getLogger(BackupPull.class);

  private final Loop loop;
  private final Backup backup;
  private final ShardMemory into;
  private final long maxBytes;
  private final long patienceMs;
  private final BooleanSupplier isWanted;

  /**
   * @param maxBytes about how much of the newest
   * @param patienceMs how long the backup tier may take
   * @param isWanted whether the memory may still be written to
   */
  BackupPull(
      Loop loop,
      Backup backup,
      ShardMemory into,
      long maxBytes,
      long patienceMs,
      BooleanSupplier isWanted) {
    this.loop = loop;
    this.backup = backup;
    this.into = into;
    this.maxBytes = maxBytes;
    this.patienceMs = patienceMs;
    this.isWanted = isWanted;
  }

  /**
   * Copies what is held behind a Position, on the shard's event loop.
   *
   * @return the last Position that is known now; that from before if the backup has nothing more or
   *     does not answer
   */
  Future<Position> run(Position since) {
    return loop.within(
            patienceMs, "what the backup tier has", backup.range(since.shard(), since, maxBytes))
        .transform(
            (records, failure) -> Future.succeededFuture(takeIfWanted(since, records, failure)));
  }

  private Position takeIfWanted(Position since, List<Placed> records, Throwable failure) {
    if (!isWanted.getAsBoolean()) {
      return since;
    }
    if (failure != null) {
      LOG.warn("the backup tier gave nothing of shard {}: {}", since.shard(), failure.getMessage());
      return since;
    }
    return takeWhatFits(since, records);
  }

  /** A shard without its past is better than one that nobody owns. */
  private Position takeWhatFits(Position since, List<Placed> records) {
    try {
      return take(since, records);
    } catch (RuntimeException e) {
      LOG.warn("not all that the backup tier has of shard {} is taken", since.shard(), e);
      return into.tail().head();
    }
  }

  private Position take(Position since, List<Placed> records) {
    long nowMs = System.currentTimeMillis();
    Runs.each(records, batch -> take(batch, nowMs));
    if (records.isEmpty()) {
      return since;
    }
    LOG.info("{} records of shard {} came from the backup tier", records.size(), since.shard());
    return records.get(records.size() - 1).position();
  }

  private void take(Batch batch, long nowMs) {
    if (batch.epoch() != into.tail().head().epoch()) {
      into.begin(batch.epoch(), Position.none(batch.shard()));
    }
    into.restore(batch, nowMs);
  }
}
