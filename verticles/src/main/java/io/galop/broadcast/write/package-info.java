/**
 * Writes to a browser's session: messages that are due together leave in one frame, and what does
 * not fit waits. Runs on the event loop of the session; knows neither records nor filters. {@code
 * hub} uses it.
 */
@NullMarked
package io.galop.broadcast.write;

import org.jspecify.annotations.NullMarked;
