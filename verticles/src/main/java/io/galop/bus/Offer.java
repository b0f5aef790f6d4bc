package io.galop.bus;

/**
 * A node that still holds a shard offers it to the one that should own it but has not asked: after
 * a split of the cluster both may take themselves for the owner.
 */
public record Offer(int shard, String holder) {}
