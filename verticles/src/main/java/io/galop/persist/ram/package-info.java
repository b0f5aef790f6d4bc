/**
 * The memory tier: the newest records of a shard in direct slabs that are counted and evicted
 * whole, and the last value of each topic. The event loop of the shard writes; readers retain a
 * slab for as long as they use it.
 */
@NullMarked
package io.galop.persist.ram;

import org.jspecify.annotations.NullMarked;
