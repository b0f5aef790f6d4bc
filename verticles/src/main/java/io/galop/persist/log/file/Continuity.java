package io.galop.persist.log.file;

import io.galop.record.Position;
import java.util.ArrayList;
import java.util.List;

/** Follows the offsets of all shards through the Log, and names the Positions that are missing. */
public final class Continuity {
  private static final int MOST_NAMED = 1_000;
  private final List<String> missing = new ArrayList<>();
  private final DurableEpochs[] tables;
  private long records;

  public Continuity(int shards) {
    tables = new DurableEpochs[shards];
    for (int shard = 0; shard < shards; shard++) {
      tables[shard] = new DurableEpochs();
    }
  }

  /** Takes note of an entry; one of a shard that is not there is none of ours. */
  public void see(EntryScan entry) {
    if (entry.type() == EntryFormat.SEAL) {
      return;
    }
    int shard = EntryFormat.shard(entry.bytes(), entry.index());
    if (shard >= shards()) {
      return;
    }
    if (entry.type() == EntryFormat.RECORD) {
      record(
          shard,
          EntryFormat.epoch(entry.bytes(), entry.index()),
          EntryFormat.offset(entry.bytes(), entry.index()));
    } else {
      epochs(shard, EntryFormat.epochs(entry.bytes(), entry.index()));
    }
  }

  private void record(int shard, long epoch, long offset) {
    expect(shard, epoch, offset - 1);
    tables[shard].saw(epoch, offset);
    records++;
  }

  private void epochs(int shard, List<EpochEnd> ends) {
    for (EpochEnd end : ends) {
      expect(shard, end.epoch(), end.lastOffset());
      tables[shard].saw(end.epoch(), end.lastOffset());
    }
  }

  /** Everything of the epoch up to an offset should have been there, unless it was freed. */
  private void expect(int shard, long epoch, long offset) {
    long last = tables[shard].lastOffset(epoch);
    if (last < 0 || offset <= last || missing.size() == MOST_NAMED) {
      return;
    }
    String first = new Position(shard, epoch, last + 1).toString();
    missing.add(offset == last + 1 ? first : first + ".." + offset);
  }

  public int shards() {
    return tables.length;
  }

  public DurableEpochs[] tables() {
    return tables;
  }

  public List<String> missing() {
    return missing;
  }

  public long records() {
    return records;
  }
}
