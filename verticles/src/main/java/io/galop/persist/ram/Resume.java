package io.galop.persist.ram;

import io.galop.record.Position;

/**
 * Where somebody who comes with a Position goes on.
 *
 * @param from everything after it is held
 * @param complete whether nothing is missing between the given Position and this one
 */
public record Resume(Position from, boolean complete) {}
