package io.galop.persist.log;

import io.galop.persist.log.file.DurableEpochs;
import io.galop.persist.log.file.EpochEnd;
import io.galop.record.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the Log knew of a shard when it was opened.
 *
 * @param epochs newest first; empty if the shard was never owned here
 */
public record RecoveredShard(int shard, List<EpochEnd> epochs) {
  public RecoveredShard {
    epochs = List.copyOf(epochs);
  }

  /** Of all shards, by number. */
  static List<RecoveredShard> all(DurableEpochs[] tables) {
    List<RecoveredShard> all = new ArrayList<>();
    for (int shard = 0; shard < tables.length; shard++) {
      List<EpochEnd> ends = tables[shard].oldestFirst();
      Collections.reverse(ends);
      all.add(new RecoveredShard(shard, ends));
    }
    return all;
  }

  /** The last durable Position; {@link Position#none} if there is none. */
  public Position last() {
    for (EpochEnd end : epochs) {
      if (end.lastOffset() > 0) {
        return new Position(shard, end.epoch(), end.lastOffset());
      }
    }
    return Position.none(shard);
  }
}
