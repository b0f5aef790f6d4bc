/**
 * {@code load freeze}: stops a broadcast node for a while and says what the others' viewers
 * noticed.
 */
package io.galop.loadtest.freeze;
