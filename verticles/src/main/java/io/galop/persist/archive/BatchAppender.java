package io.galop.persist.archive;

import io.galop.config.persist.ArchiveConfig;
import io.galop.persist.store.LogProgress;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Appends what is new in a batch to the open files of its partitions. For one thread. */
final class BatchAppender {
  private final ArchiveConfig config;
  private final Partition partition;

  BatchAppender(ArchiveConfig config) {
    this.config = config;
    this.partition = new Partition(config.prefixLevels());
  }

  /**
   * Appends; counts once the state is committed.
   *
   * @param next is told what is in the files then
   * @return how many records were new
   */
  int append(StoreBatch parcel, ArchiveState next, ArchiveFiles files, long nowMs)
      throws IOException {
    int fresh = 0;
    Map<String, List<Placed>> parts = new LinkedHashMap<>();
    LogProgress progress = next.progress();
    for (Placed placed : parcel.records()) {
      if (!progress.has(placed.position())) {
        progress.add(placed.position());
        String part = partition.of(placed.record());
        parts.computeIfAbsent(part, name -> new ArrayList<>()).add(placed);
        fresh++;
      }
    }
    parcel.cursor().ifPresent(progress::moveTo);
    for (Map.Entry<String, List<Placed>> part : parts.entrySet()) {
      ByteBuffer member = GzipMember.of(part.getValue(), config.compressionLevel());
      int bytes = member.remaining();
      ArchiveFile file = next.fileOf(part.getKey(), config.name(), parcel.log(), nowMs);
      files.append(file, member);
      next.put(file.grown(bytes));
    }
    return fresh;
  }
}
