/**
 * The tcp door with its two wires, NDJSON and Protobuf. A connection stays on one event loop;
 * {@code IngestVerticle} alone opens the door.
 */
@NullMarked
package io.galop.ingest.tcp;

import org.jspecify.annotations.NullMarked;
