package io.galop.record;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * When a door read a record, for those who measure how late it is: of one record of a Batch, which
 * stands for the others.
 *
 * @param node the id of the door's node, whose clock it is; empty if nothing is known
 * @param door the name of the door
 * @param atUs microseconds of that clock
 * @param trace the trace that this record is part of; null mostly
 */
public record DoorStamp(String node, String door, long atUs, @Nullable TraceContext trace) {
  /** Nothing is known, as of records that a node of an older version sent. */
  public static final DoorStamp NONE = new DoorStamp("", "", 0);

  /** One of a record without a trace. */
  public DoorStamp(String node, String door, long atUs) {
    this(node, door, atUs, null);
  }

  /** Whether nothing is known. */
  public boolean isNone() {
    return node.isEmpty();
  }

  /** Whether the record is part of a trace. */
  public boolean isTraced() {
    return trace != null;
  }

  /**
   * The stamp of one of some records, drawn by lot; but of the first that is part of a trace, since
   * there are few of them and each is one that somebody asked for.
   *
   * @param read of the records that are added
   * @param records how many are added
   * @param all how many there are with them
   */
  public DoorStamp or(DoorStamp read, int records, int all) {
    if (isTraced() || read.isTraced()) {
      return isTraced() ? this : read;
    }
    return ThreadLocalRandom.current().nextInt(Math.max(1, all)) < records ? read : this;
  }

  /** The same of a record that is part of a trace. */
  public DoorStamp traced(TraceContext of) {
    return new DoorStamp(node, door, atUs, of);
  }
}
