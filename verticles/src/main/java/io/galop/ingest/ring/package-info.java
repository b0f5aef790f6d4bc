/**
 * The ring door: records that another process has put into a ring in a file. A thread of its own
 * reads each ring and hands records to the event loop of the door; {@code IngestVerticle} alone
 * opens the door.
 */
@NullMarked
package io.galop.ingest.ring;

import org.jspecify.annotations.NullMarked;
