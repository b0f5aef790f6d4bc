/**
 * Alarms: conditions on topics with states of their own, as ISA-18.2 has them. They are evaluated
 * by the owner of the watched topic's shard, on one event loop of their own beside the way of a
 * record, and kept as records on {@code $alarm/…} in the same shard. What an alarm becomes is a
 * pure function; the node's start alone makes the verticle, and operators reach it by reports.
 */
@NullMarked
package io.galop.alarm;

import org.jspecify.annotations.NullMarked;
