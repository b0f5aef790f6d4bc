/**
 * What a store is: where a sink writes batches of records and where queries about the past are
 * answered, and what blocking drivers need for both: connections, threads with a bound, and the way
 * back to the caller's event loop. A {@link io.galop.persist.store.Store} is called on its sink's
 * thread and on the event loops that query; a {@link io.galop.persist.store.BlockingStore} on
 * threads of its own. Sinks, the history and every kind of store build on this package.
 */
@NullMarked
package io.galop.persist.store;

import org.jspecify.annotations.NullMarked;
