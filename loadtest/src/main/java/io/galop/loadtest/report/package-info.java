/**
 * Reports of runs: pages, plots, and two runs side by side. Pure functions of what was found, and
 * files.
 */
@NullMarked
package io.galop.loadtest.report;

import org.jspecify.annotations.NullMarked;
