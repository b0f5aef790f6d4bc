/**
 * Sends records to each door at a rate that does not wait for slow answers, and counts what was
 * acknowledged. One event loop for each lane.
 */
@NullMarked
package io.galop.loadtest.inject;

import org.jspecify.annotations.NullMarked;
