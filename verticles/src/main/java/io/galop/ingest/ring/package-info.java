/**
 * The ring door: records that another process has put into a ring in a file. The event loop of the
 * door reads it by a timer; {@code IngestVerticle} alone opens the door.
 */
package io.galop.ingest.ring;
