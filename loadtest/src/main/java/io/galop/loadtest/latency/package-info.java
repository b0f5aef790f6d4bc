/**
 * {@code load latency}: from the door to the viewer, by percentile. Stamps travel in the records;
 * both ends share one clock.
 */
@NullMarked
package io.galop.loadtest.latency;

import org.jspecify.annotations.NullMarked;
