/**
 * {@code load freeze}: stops a broadcast node for a while and says what the others' viewers
 * noticed.
 */
@NullMarked
package io.galop.loadtest.freeze;

import org.jspecify.annotations.NullMarked;
