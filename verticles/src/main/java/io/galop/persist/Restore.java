package io.galop.persist;

import io.galop.persist.log.Log;
import io.galop.persist.log.LogChunk;
import io.galop.persist.log.LogPosition;
import io.galop.persist.log.LogReader;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Position;
import java.util.List;

/** Fills the memory of a node that starts from the tail of its own Log. Blocking. */
final class Restore {
  private static final int CHUNK_BYTES = 1024 * 1024;

  private Restore() {}

  /**
   * @param memories by shard
   * @param maxBytes how much of the Log to read
   */
  static void fill(Log log, List<ShardMemory> memories, long maxBytes) {
    Position[] last = new Position[memories.size()];
    for (int shard = 0; shard < last.length; shard++) {
      last[shard] = EpochLog.learn(log.recovered(shard), memories.get(shard).epochs());
    }
    LogPosition from = log.positionForTail(maxBytes);
    try (LogReader reader = log.reader(from)) {
      LogPosition before;
      LogPosition at = from;
      do {
        before = at;
        at = restore(reader.read(CHUNK_BYTES), memories);
      } while (!at.equals(before));
    }
    for (int shard = 0; shard < last.length; shard++) {
      if (!last[shard].isNone()) {
        memories.get(shard).settle(last[shard]);
      }
    }
  }

  private static LogPosition restore(LogChunk chunk, List<ShardMemory> memories) {
    long nowMs = System.currentTimeMillis();
    Runs.each(chunk.records(), batch -> memories.get(batch.shard()).restore(batch, nowMs));
    return chunk.next();
  }
}
