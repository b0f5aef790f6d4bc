package io.galop.bus;

/**
 * A node begins an epoch of a shard, and tells the others that store before it takes a record: each
 * of them may have to begin the next one, which is to be larger, when this node has gone without a
 * word. When it owns the shard it tells those again whose answers it has heard.
 *
 * @param heard the newest epoch that the receiver named in its answer to the seal; 0 if the answer
 *     was not heard, or this epoch may still come to nothing
 * @param log the identity of the owner's Log; 0 if it did not tell, as older nodes do not
 */
public record Begun(int shard, long epoch, String owner, long heard, long log) {
  /** By a node that does not tell which Log it has. */
  public Begun(int shard, long epoch, String owner, long heard) {
    this(shard, epoch, owner, heard, 0);
  }

  /** The same before it is known whether it comes to anything. */
  public Begun(int shard, long epoch, String owner) {
    this(shard, epoch, owner, 0, 0);
  }
}
