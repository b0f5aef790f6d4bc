/** {@code load idle}: what a connection that only waits costs in memory. */
@NullMarked
package io.galop.loadtest.idle;

import org.jspecify.annotations.NullMarked;
