/**
 * What follows the Log: sinks, each with a cursor and a store of its own. A sink runs on a thread
 * of its own, which nothing else enters; its meters may be read from any thread. {@code persist}
 * starts sinks and ends them.
 */
@NullMarked
package io.galop.persist.sink;

import org.jspecify.annotations.NullMarked;
