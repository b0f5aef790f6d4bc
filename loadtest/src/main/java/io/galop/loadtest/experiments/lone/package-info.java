/**
 * How long one record takes until it is on disk, when no other is under way: Galop beside NATS
 * JetStream and a bare loop of write and fsync, turn about. Blocking, on threads of its own;
 * started by the command {@code lone} alone.
 */
@NullMarked
package io.galop.loadtest.experiments.lone;

import org.jspecify.annotations.NullMarked;
