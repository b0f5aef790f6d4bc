/**
 * A record as browsers get it, encoded once, and the ring with the newest of them. One feed loop
 * writes; the event loops of the hubs read. {@code feed} and {@code hub} use it.
 */
@NullMarked
package io.galop.broadcast.ring;

import org.jspecify.annotations.NullMarked;
