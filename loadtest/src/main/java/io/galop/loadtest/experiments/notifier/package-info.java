/**
 * Compares sessions that each ask a slow back end with one poll door that tells all. An experiment,
 * run as a scenario.
 */
@NullMarked
package io.galop.loadtest.experiments.notifier;

import org.jspecify.annotations.NullMarked;
