/**
 * Compares ways to answer questions about the past: on the event loop, beside it, from a cache. An
 * experiment, run as a scenario.
 */
@NullMarked
package io.galop.loadtest.experiments.reads;

import org.jspecify.annotations.NullMarked;
