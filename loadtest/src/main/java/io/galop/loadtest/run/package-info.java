/**
 * Runs scenarios: warms up, steps through rates, finds the knee and names the stage that holds it.
 * Runs on the main thread.
 */
@NullMarked
package io.galop.loadtest.run;

import org.jspecify.annotations.NullMarked;
