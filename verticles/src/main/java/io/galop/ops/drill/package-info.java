/**
 * Records that a node sends the whole way to its own viewers, and faults that it plants on the way,
 * to see that they are found. {@link io.galop.ops.drill.DrillRound} is a pure function and decides;
 * the others do what it says, on the event loop of the management port.
 */
@NullMarked
package io.galop.ops.drill;

import org.jspecify.annotations.NullMarked;
