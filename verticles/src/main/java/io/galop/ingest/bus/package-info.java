/**
 * The doors for programs beside the node: the bus door takes records of verticles, the bridge takes
 * them over TCP. Each runs on the event loop of the verticle; {@code IngestVerticle} alone opens
 * them.
 */
@NullMarked
package io.galop.ingest.bus;

import org.jspecify.annotations.NullMarked;
