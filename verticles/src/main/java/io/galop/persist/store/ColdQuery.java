package io.galop.persist.store;

import io.galop.record.TopicFilter;
import java.util.Optional;

/**
 * Asks the cold tier for records.
 *
 * @param fromUs first event time, inclusive
 * @param toUs last event time, inclusive
 * @param limit most records in the answer
 * @param maxBytes about how much data the answer may hold
 * @param newestFirst order by (time, id): descending instead of ascending
 * @param after where the page before ended; empty for the first
 */
public record ColdQuery(
    TopicFilter filter,
    long fromUs,
    long toUs,
    int limit,
    int maxBytes,
    boolean newestFirst,
    Optional<ColdKey> after) {}
