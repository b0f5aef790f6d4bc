/**
 * Reads the Log of a stopped node, for {@code galop log} and the checks before a start. It changes
 * nothing on disk. It runs on the thread of the command that calls it.
 */
@NullMarked
package io.galop.persist.log.stopped;

import org.jspecify.annotations.NullMarked;
