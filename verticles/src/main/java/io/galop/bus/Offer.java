package io.galop.bus;

/**
 * A node that holds a shard offers it to another: to the one that should own it but has not asked,
 * since after a split of the cluster both may take themselves for the owner, or to the one that
 * will own it when this one has gone.
 *
 * @param epoch in which it holds the shard
 * @param isLeaving whether the holder is about to leave the cluster
 */
public record Offer(int shard, String holder, long epoch, boolean isLeaving) {}
