/**
 * The tcp door with its two wires, NDJSON and Protobuf. A connection stays on one event loop;
 * {@code IngestVerticle} alone opens the door.
 */
package io.galop.ingest.tcp;
