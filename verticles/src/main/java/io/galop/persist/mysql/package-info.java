/**
 * A cold store in a MySQL or MariaDB database. By {@code sink.driver} the work is done on event
 * loops, or on threads of the store with a connection each: some write, others read. {@code
 * persist} makes it; only its sink and queries of the history call it.
 */
@NullMarked
package io.galop.persist.mysql;

import org.jspecify.annotations.NullMarked;
