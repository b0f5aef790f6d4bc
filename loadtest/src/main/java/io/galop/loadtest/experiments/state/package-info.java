/**
 * Compares ways to keep state that several threads need: one writer, locks, transactions. An
 * experiment, run as a scenario.
 */
@NullMarked
package io.galop.loadtest.experiments.state;

import org.jspecify.annotations.NullMarked;
