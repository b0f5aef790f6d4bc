/**
 * The mqtt door: sessions of MQTT 3.1.1 and 5 that publish. A connection stays on one event loop;
 * {@code IngestVerticle} alone opens the door.
 */
@NullMarked
package io.galop.ingest.mqtt;

import org.jspecify.annotations.NullMarked;
