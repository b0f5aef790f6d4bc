package io.galop.bus;

import io.galop.record.Position;

/**
 * Answer to {@link Replicate}.
 *
 * @param last up to here the copy is on disk
 */
public record Replicated(Position last) {}
