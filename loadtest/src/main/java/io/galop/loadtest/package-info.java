/**
 * The load test's commands. It speaks to nodes over the wire only and imports nothing of the
 * product.
 */
@NullMarked
package io.galop.loadtest;

import org.jspecify.annotations.NullMarked;
