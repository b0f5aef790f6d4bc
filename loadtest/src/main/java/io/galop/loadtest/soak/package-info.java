/**
 * {@code load soak}: a steady load for minutes or hours through whatever stands before the nodes.
 */
@NullMarked
package io.galop.loadtest.soak;

import org.jspecify.annotations.NullMarked;
