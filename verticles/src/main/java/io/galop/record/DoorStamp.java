package io.galop.record;

/**
 * When a door read a record, for those who measure how late it is: of one record of a Batch, which
 * stands for the others.
 *
 * @param node the id of the door's node, whose clock it is; empty if nothing is known
 * @param door the name of the door
 * @param atUs microseconds of that clock
 */
public record DoorStamp(String node, String door, long atUs) {
  /** Nothing is known, as of records that a node of an older version sent. */
  public static final DoorStamp NONE = new DoorStamp("", "", 0);

  /** Whether nothing is known. */
  public boolean isNone() {
    return node.isEmpty();
  }
}
