/**
 * Reads records: splits bytes into lines, scans JSON, checks each record against the limits. Pure:
 * what is wrong comes back as a reason. Every door calls it, on its own event loop.
 */
@NullMarked
package io.galop.ingest.parse;

import org.jspecify.annotations.NullMarked;
