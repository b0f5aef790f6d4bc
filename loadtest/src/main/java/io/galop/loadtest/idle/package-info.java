/** {@code load idle}: what a connection that only waits costs in memory. */
package io.galop.loadtest.idle;
