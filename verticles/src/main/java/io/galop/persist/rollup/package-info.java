/**
 * Roll-ups: values of fields by the minute, which a sink of its own keeps in one file beside the
 * embedded store, so that rows of a long time are made without its records. What is newer than the
 * file is in memory. The sink's batches are taken on one thread, questions are answered on others;
 * persist makes the store, and history asks it.
 */
@NullMarked
package io.galop.persist.rollup;

import org.jspecify.annotations.NullMarked;
