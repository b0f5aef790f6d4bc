/**
 * The keys of RAM tier, Log, history, sinks and stores. Immutable records, made by the thread that
 * starts the process and read by any; the persist stage uses them.
 */
@NullMarked
package io.galop.config.persist;

import org.jspecify.annotations.NullMarked;
