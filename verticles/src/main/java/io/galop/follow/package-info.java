/**
 * Pushes what comes in a shard to whoever follows it, by credit, from a {@link
 * io.galop.persist.ram.ShardMemory}: the owner to broadcast nodes, and a relay to the relays behind
 * it, for which it stands in for the owner. Each shard is on one event loop. The owner's stage and
 * the feed of a relay use it.
 */
@NullMarked
package io.galop.follow;

import org.jspecify.annotations.NullMarked;
