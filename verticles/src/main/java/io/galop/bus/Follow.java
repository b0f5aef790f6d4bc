package io.galop.bus;

import io.galop.record.Position;

/**
 * A broadcast node asks a shard's owner to push what comes after a Position.
 *
 * @param node the id of the broadcast node, or of a relay as {@link LinkLane#follower} has it
 * @param session chosen by the broadcast node, larger for each new Follow; the owner drops older
 *     sessions of the same node and shard, and every Push carries it
 * @param since the last Position that the node has; {@link Position#none} to begin at the head
 * @param newestEpoch of all that the node has ever seen of the shard: an owner that is not beyond
 *     it begins a larger one before it is followed
 */
public record Follow(String node, long session, Position since, long newestEpoch) {
  /** By a node that has seen nothing newer than that Position. */
  public Follow(String node, long session, Position since) {
    this(node, session, since, since.epoch());
  }
}
