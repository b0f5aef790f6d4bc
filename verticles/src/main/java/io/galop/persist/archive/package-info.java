/**
 * A cold store of compressed NDJSON files in a directory, for tools that read files. All of it runs
 * on the one thread that the store has for itself; {@code persist} makes it, only its sink calls
 * it. No file is kept open between two batches.
 */
@NullMarked
package io.galop.persist.archive;

import org.jspecify.annotations.NullMarked;
