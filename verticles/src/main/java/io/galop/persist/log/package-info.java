/**
 * The Log: one append-only journal per node, shared by all shards, in which a record is durable
 * before it is acknowledged. Owners append on their event loop, a writer thread writes and syncs,
 * and answers return to the event loop; sinks read with cursors.
 */
@NullMarked
package io.galop.persist.log;

import org.jspecify.annotations.NullMarked;
