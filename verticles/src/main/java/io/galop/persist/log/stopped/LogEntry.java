package io.galop.persist.log.stopped;

import io.galop.persist.log.file.EntryFormat;
import io.galop.persist.log.file.EntryScan;
import io.galop.record.Placed;

/**
 * The record that a scan of a {@link StoppedLog} has come to; only valid until the scan goes on.
 */
public final class LogEntry {
  private final EntryScan scan;

  LogEntry(EntryScan scan) {
    this.scan = scan;
  }

  /** The shard that the record is of. */
  public int shard() {
    return EntryFormat.shard(scan.bytes(), scan.index());
  }

  /** The epoch that it was placed in. */
  public long epoch() {
    return EntryFormat.epoch(scan.bytes(), scan.index());
  }

  /** Its offset in the epoch. */
  public long offset() {
    return EntryFormat.offset(scan.bytes(), scan.index());
  }

  /** Its event time, microseconds since the epoch, UTC. */
  public long timeUs() {
    return EntryFormat.timeUs(scan.bytes(), scan.index());
  }

  /** What it takes in the Log. */
  public int bytes() {
    return EntryFormat.HEAD_BYTES + scan.length();
  }

  /** The record itself, copied. */
  public Placed read() {
    return EntryFormat.record(scan.bytes(), scan.index(), scan.length());
  }
}
