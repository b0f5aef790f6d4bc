/**
 * {@code galop publish}: from the command line onto the event bus, through the bridge or as a lite
 * member. Runs on the main thread, with a bound on what is in flight.
 */
@NullMarked
package io.galop.cli.publish;

import org.jspecify.annotations.NullMarked;
