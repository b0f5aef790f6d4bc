package io.galop.bus;

import io.galop.record.Position;

/**
 * Asks a shard's owner for a {@link Page}: of the latest record of each topic, or of what came
 * after a Position.
 *
 * @param since the last Position that the asker has; not used for the latest records
 * @param next of the page before; empty for the first
 * @param maxBytes about how much the page may hold
 */
public record Ask(int shard, Position since, String next, int maxBytes) {}
