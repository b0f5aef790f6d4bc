/**
 * {@code load ramp}: viewers come and go while messages flow. Runs on the main thread; viewers on
 * event loops of their own.
 */
package io.galop.loadtest.ramp;
