/**
 * Who owns a shard, as a pure function: {@code OwnershipRules.next(state, event)} gives the next
 * state and the effects. Nothing here has a clock, a thread, a bus or a disk. {@code
 * persist.Ownership} runs it on the shard's event loop, and the simulation in the tests runs the
 * same code against a simulated cluster.
 */
@NullMarked
package io.galop.persist.ownership;

import org.jspecify.annotations.NullMarked;
