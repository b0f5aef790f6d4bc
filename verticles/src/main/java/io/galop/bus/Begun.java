package io.galop.bus;

/**
 * A node begins an epoch of a shard, and tells the others that store before it takes a record: each
 * of them may have to begin the next one, which is to be larger, when this node has gone without a
 * word.
 */
public record Begun(int shard, long epoch, String owner) {}
