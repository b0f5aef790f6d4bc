/**
 * Messages between nodes, and between the parts of one: a lane for each kind of message, with its
 * codec, its deadline and its answer. This package alone sends on the event bus. A lane answers on
 * the event loop of the caller. Every stage may use it; it knows none of them.
 */
@NullMarked
package io.galop.bus;

import org.jspecify.annotations.NullMarked;
