/**
 * How a record is told to a viewer that has the one of its topic before: by what is different in
 * its text. Pure; each event loop has its own {@link io.galop.broadcast.delta.TextDelta}. The
 * {@code hub} uses it.
 */
@NullMarked
package io.galop.broadcast.delta;

import org.jspecify.annotations.NullMarked;
