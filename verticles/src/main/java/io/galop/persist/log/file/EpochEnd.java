package io.galop.persist.log.file;

/**
 * An epoch of a shard and the last offset in it that became durable; 0 if none did.
 *
 * <p>A Position of the epoch up to {@code lastOffset} is continued by the epoch after it; one
 * beyond was shown but never kept.
 */
public record EpochEnd(long epoch, long lastOffset) {}
