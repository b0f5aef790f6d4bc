package io.galop.persist.inspect;

import io.galop.persist.log.stopped.LogEntry;

/** What an epoch of a shard holds. */
final class EpochTally {
  private final Epoch epoch;
  private long records;
  private long bytes;
  private long firstOffset = Long.MAX_VALUE;
  private long lastOffset;
  private long firstUs = Long.MAX_VALUE;
  private long lastUs = Long.MIN_VALUE;

  EpochTally(Epoch epoch) {
    this.epoch = epoch;
  }

  void add(LogEntry record) {
    records++;
    bytes += record.bytes();
    firstOffset = Math.min(firstOffset, record.offset());
    lastOffset = Math.max(lastOffset, record.offset());
    firstUs = Math.min(firstUs, record.timeUs());
    lastUs = Math.max(lastUs, record.timeUs());
  }

  /** The cells of a line: shard, epoch, offsets, records, bytes, first and last event time. */
  String[] cells() {
    return new String[] {
      Integer.toString(epoch.shard()),
      Long.toString(epoch.number()),
      firstOffset + ".." + lastOffset,
      Long.toString(records),
      Long.toString(bytes),
      Times.utc(firstUs),
      Times.utc(lastUs)
    };
  }
}
