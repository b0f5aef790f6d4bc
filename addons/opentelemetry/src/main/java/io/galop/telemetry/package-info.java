/**
 * Sends traces out over OTLP. Told of them on event loops, where it only queues; sends on threads
 * of its own.
 */
@NullMarked
package io.galop.telemetry;

import org.jspecify.annotations.NullMarked;
