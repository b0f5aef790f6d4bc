/**
 * The management port: health, meters, status, console, viewers and scripts, for operators and
 * their tools. Reads what the stages have counted on a thread of its own; no request here may hold
 * up an event loop that serves the feed.
 */
@NullMarked
package io.galop.ops;

import org.jspecify.annotations.NullMarked;
