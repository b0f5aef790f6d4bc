/**
 * How much of a node is used, and which of its stages gives way first: pure functions from what its
 * parts have counted. They know no meter, no clock and no thread; {@code io.galop.ops} reads once a
 * second, on its thread for meters, and may call them from any thread.
 */
@NullMarked
package io.galop.ops.headroom;

import org.jspecify.annotations.NullMarked;
