/**
 * The door of {@code $presence/…}: records of how many viewers there are, made by the node. For one
 * event loop.
 */
@NullMarked
package io.galop.ingest.presence;

import org.jspecify.annotations.NullMarked;
