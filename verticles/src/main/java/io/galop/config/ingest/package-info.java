/**
 * The keys of the doors and of the limits that records are checked against. Immutable records, made
 * by the thread that starts the process and read by any; the ingest stage uses them.
 */
@NullMarked
package io.galop.config.ingest;

import org.jspecify.annotations.NullMarked;
