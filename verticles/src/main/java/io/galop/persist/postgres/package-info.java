/**
 * A cold store in a PostgreSQL database. By {@code sink.driver} the work is done on event loops, or
 * on threads of the store with a connection each: some write, others read. {@code persist} makes
 * it; only its sink and queries of the history call it.
 */
@NullMarked
package io.galop.persist.postgres;

import org.jspecify.annotations.NullMarked;
