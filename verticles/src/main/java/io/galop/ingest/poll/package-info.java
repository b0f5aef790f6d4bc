/**
 * The poll door: asks other systems at intervals and makes records of their answers. Requests run
 * on the event loop of the door; what is made of an answer is pure. {@code IngestVerticle} alone
 * opens the door.
 */
@NullMarked
package io.galop.ingest.poll;

import org.jspecify.annotations.NullMarked;
