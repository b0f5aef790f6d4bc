/**
 * The simulation door: a made-up race day with sensors, for the demo and for trying out. The day
 * itself is pure; the door asks, on its event loop, for what is due at a time. {@code
 * IngestVerticle} alone opens the door.
 */
@NullMarked
package io.galop.ingest.simulation;

import org.jspecify.annotations.NullMarked;
