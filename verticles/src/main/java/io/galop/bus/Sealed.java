package io.galop.bus;

import io.galop.record.Position;

/**
 * The answer to a {@link Seal}.
 *
 * @param held whether the node had been the shard's owner
 * @param last the last durable Position, after which it will place nothing; the tail of the shard
 *     can be fetched from the same node
 */
public record Sealed(boolean held, Position last) {}
