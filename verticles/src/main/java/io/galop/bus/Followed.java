package io.galop.bus;

import io.galop.record.Position;

/**
 * The owner's answer to a {@link Follow}.
 *
 * @param from the Position that the first Push will follow on
 * @param complete whether nothing is missing between what was asked for and {@code from}
 */
public record Followed(Position from, boolean complete) {}
