/**
 * A cold store in a MongoDB database. By {@code sink.driver} the work is done on the event loops of
 * the reactive driver, or on threads of the store: some write, others read. Clients are made and
 * closed on workers. {@code persist} makes it; only its sink and queries of the history call it.
 */
@NullMarked
package io.galop.persist.mongo;

import org.jspecify.annotations.NullMarked;
