package io.galop.bus;

/**
 * A new owner asks the node that may have had the shard before to end its epoch there.
 *
 * @param log the identity of the asking node's Log; 0 if it did not tell, as older nodes do not
 */
public record Seal(int shard, String newOwner, long log) {
  /** By a node that does not tell which Log it has. */
  public Seal(int shard, String newOwner) {
    this(shard, newOwner, 0);
  }
}
