/**
 * The keys of the endpoint for browsers: origins, tokens, limits, the ring and resuming. Immutable
 * records, made by the thread that starts the process and read by any; the broadcast stage uses
 * them.
 */
@NullMarked
package io.galop.config.broadcast;

import org.jspecify.annotations.NullMarked;
