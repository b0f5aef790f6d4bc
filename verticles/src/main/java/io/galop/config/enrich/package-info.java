/**
 * The keys of the chain: one record for each kind of step, and for the sources of look-ups.
 * Immutable records, made by the thread that starts the process and read by any; the enrich stage
 * uses them.
 */
@NullMarked
package io.galop.config.enrich;

import org.jspecify.annotations.NullMarked;
