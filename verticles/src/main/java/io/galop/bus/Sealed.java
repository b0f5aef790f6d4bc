package io.galop.bus;

import io.galop.record.Position;

/**
 * The answer to a {@link Seal}.
 *
 * @param held whether the node had been the shard's owner
 * @param last the last durable Position, after which it will place nothing; the tail of the shard
 *     can be fetched from the same node
 * @param newestEpoch of all that the node has ever seen of the shard, with or without a record
 */
public record Sealed(boolean held, Position last, long newestEpoch) {
  /** By a node that has seen nothing newer than that Position. */
  public Sealed(boolean held, Position last) {
    this(held, last, last.epoch());
  }
}
