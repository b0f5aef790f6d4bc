/**
 * The embedded store: SQLite files that follow the Log and answer queries about the past. Blocking;
 * it is called on the threads of its {@link io.galop.persist.store.BlockingStoreAdapter}, and by
 * {@code inspect} on the main thread while no node runs.
 */
@NullMarked
package io.galop.persist.cold;

import org.jspecify.annotations.NullMarked;
