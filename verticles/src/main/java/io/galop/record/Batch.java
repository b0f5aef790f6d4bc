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
 * @param stamp when a door read one of the records, if that is known; it is no part of the Log
 */
public record Batch(
    int shard, long epoch, long firstOffset, List<Record> records, DoorStamp stamp) {
  public Batch {
    records = List.copyOf(records);
  }

  /** One of which it is not known when its records were read. */
  public Batch(int shard, long epoch, long firstOffset, List<Record> records) {
    this(shard, epoch, firstOffset, records, DoorStamp.NONE);
  }

  /** A Batch that its owner has not placed yet. */
  public static Batch unplaced(int shard, List<Record> records) {
    return new Batch(shard, 0, 0, records);
  }

  /** The same records for an owner believed to be in {@code epoch}. */
  public Batch inEpoch(long epoch) {
    return new Batch(shard, epoch, firstOffset, records, stamp);
  }

  /** The same records, one of which was read then. */
  public Batch stamped(DoorStamp read) {
    return read.isNone() ? this : new Batch(shard, epoch, firstOffset, records, read);
  }

  /** The records from {@code index} on; only of a placed Batch. */
  public Batch from(int index) {
    return index == 0
        ? this
        : new Batch(
            shard, epoch, firstOffset + index, records.subList(index, records.size()), stamp);
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
