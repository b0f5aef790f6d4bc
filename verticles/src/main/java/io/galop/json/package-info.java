/**
 * JSON without a tree: reads single fields and numbers from the bytes of a record, adds fields to
 * them, and writes texts, times and plain values of scripts and verticles. Without threads or state
 * of its own, except where a class says that it belongs to one thread.
 */
@NullMarked
package io.galop.json;

import org.jspecify.annotations.NullMarked;
