/**
 * {@code load ramp}: viewers come and go while messages flow. Runs on the main thread; viewers on
 * event loops of their own.
 */
@NullMarked
package io.galop.loadtest.ramp;

import org.jspecify.annotations.NullMarked;
