/**
 * {@code load soak}: a steady load for minutes or hours through whatever stands before the nodes.
 */
package io.galop.loadtest.soak;
