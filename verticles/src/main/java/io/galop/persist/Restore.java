package io.galop.persist;

import io.galop.persist.log.Log;
import io.galop.persist.log.LogChunk;
import io.galop.persist.log.LogReader;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.ownership.EpochLog;
import io.galop.persist.ram.Runs;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Position;
import java.util.List;
import java.util.function.Consumer;

/** Fills the memory of a node that starts from the tail of its own Log. Blocking. */
final class Restore {
  private static final int CHUNK_BYTES = 1024 * 1024;

  private static final LogPosition LATER = new LogPosition(Long.MAX_VALUE, 0);

  private Restore() {}

  /**
   * Fills memories.
   *
   * @param memories by shard
   * @param tailBytes how much of the Log to take into the RAM tier
   * @param topicBytes how much of it to read for the last values of topics
   */
  static void fill(Log log, List<ShardMemory> memories, long tailBytes, long topicBytes) {
    Position[] last = new Position[memories.size()];
    for (int shard = 0; shard < last.length; shard++) {
      last[shard] = EpochLog.learn(log.recovered(shard), memories.get(shard).epochs());
      memories.get(shard).knownSince(EpochLog.knownSince(log.recovered(shard)));
    }
    LogPosition tail = log.positionForTail(tailBytes);
    topics(log, memories, log.positionForTail(Math.max(tailBytes, topicBytes)), tail);
    read(log, tail, LATER, chunk -> restore(chunk, memories));
    for (int shard = 0; shard < last.length; shard++) {
      if (!last[shard].isNone()) {
        memories.get(shard).settle(last[shard]);
      }
    }
  }

  /** Of what came before the tail only the last values matter. */
  private static void topics(
      Log log, List<ShardMemory> memories, LogPosition from, LogPosition tail) {
    if (!from.equals(LogPosition.START) || !log.isWhole()) {
      memories.forEach(memory -> memory.latest().forgot());
    }
    read(
        log,
        from,
        tail,
        chunk ->
            chunk
                .records()
                .forEach(placed -> memories.get(placed.position().shard()).latest().merge(placed)));
  }

  /** Reads chunk after chunk, beginning with those before a place in the Log. */
  private static void read(Log log, LogPosition from, LogPosition to, Consumer<LogChunk> each) {
    try (LogReader reader = log.reader(from)) {
      LogPosition before = null;
      for (LogPosition at = from; !at.equals(before) && at.compareTo(to) < 0; ) {
        LogChunk chunk = reader.read(CHUNK_BYTES);
        each.accept(chunk);
        before = at;
        at = chunk.next();
      }
    }
  }

  private static void restore(LogChunk chunk, List<ShardMemory> memories) {
    long nowMs = ShardMemory.nowMs();
    Runs.each(chunk.records(), batch -> memories.get(batch.shard()).restore(batch, nowMs));
  }
}
