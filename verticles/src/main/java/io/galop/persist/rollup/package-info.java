/**
 * Sums of the values of fields by topic and bucket of time: what rows of history are made of, and
 * what a store may keep of them beside its records.
 */
@NullMarked
package io.galop.persist.rollup;

import org.jspecify.annotations.NullMarked;
