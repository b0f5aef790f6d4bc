/**
 * Sends records to each door at a rate that does not wait for slow answers, and counts what was
 * acknowledged. One event loop for each lane.
 */
package io.galop.loadtest.inject;
