package io.galop.bus;

/** A new owner asks the node that may have had the shard before to end its epoch there. */
public record Seal(int shard, String newOwner) {}
