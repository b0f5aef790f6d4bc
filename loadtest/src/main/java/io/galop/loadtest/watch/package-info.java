/**
 * What nodes say of themselves during a run: their meters, their garbage collections, their
 * processor time, as series. Sampled on one thread.
 */
@NullMarked
package io.galop.loadtest.watch;

import org.jspecify.annotations.NullMarked;
