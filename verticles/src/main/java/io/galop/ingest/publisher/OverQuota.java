package io.galop.ingest.publisher;

/**
 * A publisher sends more than it may.
 *
 * @param sentence which limit, and what to do
 * @param retryAfterMs when to come again, 1 or more
 */
public record OverQuota(String sentence, long retryAfterMs) {}
