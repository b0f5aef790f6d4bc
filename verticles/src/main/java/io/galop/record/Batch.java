package io.galop.record;

import java.util.List;

/**
 * Ordered Records of one shard: the unit on the bus.
 *
 * @param shard the shard of every record's topic
 * @param epoch the owner's epoch: before the owner has placed the records the one that the sender
 *     believes in, 0 if it knows none; afterwards the one that they were placed in
 * @param firstOffset the offset of the first record, the others follow without a hole; 0 before the
 *     owner has placed them
 * @param records never changed after construction
 */
public record Batch(int shard, long epoch, long firstOffset, List<Record> records) {
  public Batch {
    records = List.copyOf(records);
  }

  /** A Batch that its owner has not placed yet. */
  public static Batch unplaced(int shard, List<Record> records) {
    return new Batch(shard, 0, 0, records);
  }

  /** The same records for an owner believed to be in {@code epoch}. */
  public Batch inEpoch(long epoch) {
    return new Batch(shard, epoch, firstOffset, records);
  }

  /** The records from {@code index} on; only of a placed Batch. */
  public Batch from(int index) {
    return index == 0
        ? this
        : new Batch(shard, epoch, firstOffset + index, records.subList(index, records.size()));
  }

  /** Roughly how many bytes the records take in the wire format. */
  public int approximateBytes() {
    return (int) Math.min(Integer.MAX_VALUE / 2, RecordCodec.approximateBytes(records));
  }

  /** Roughly how many bytes the largest of the records takes. */
  public int largestBytes() {
    return records.stream().mapToInt(RecordCodec::approximateBytes).max().orElse(0);
  }

  /** The Position of the record at {@code index}; only of a placed Batch. */
  public Position position(int index) {
    return new Position(shard, epoch, firstOffset + index);
  }
}
