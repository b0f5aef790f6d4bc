/**
 * The http door: a request with one record or many lines, plain or compressed. Runs on the event
 * loop of the request; the HTTP server of the process calls it.
 */
@NullMarked
package io.galop.ingest.http;

import org.jspecify.annotations.NullMarked;
