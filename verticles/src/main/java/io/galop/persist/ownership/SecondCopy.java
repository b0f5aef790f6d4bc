package io.galop.persist.ownership;

/**
 * Says that this node has all that another has acknowledged.
 *
 * @param of id of that node
 * @param isOfAbsent whether it is away
 * @param epoch in which it owned the shard; it may have placed nothing in it
 */
public record SecondCopy(String of, boolean isOfAbsent, long epoch) {}
