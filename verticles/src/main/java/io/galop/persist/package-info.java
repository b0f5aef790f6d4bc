/**
 * The owner of a shard: takes it over, gives each record its Position, sends it to broadcast nodes
 * and copies, appends it to the Log and acknowledges. Each shard runs on one event loop, so that it
 * has a single writer. Other stages reach it through the lanes of {@code bus} only.
 */
@NullMarked
package io.galop.persist;

import org.jspecify.annotations.NullMarked;
