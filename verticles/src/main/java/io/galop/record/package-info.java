/**
 * What everything else is made of: a Record, its topic, its Position, Batches, and the tables that
 * recognise an id. Immutable, or owned by one thread as its comment says. Imports the JDK and
 * buffers only; every package may use it.
 */
@NullMarked
package io.galop.record;

import org.jspecify.annotations.NullMarked;
