/**
 * What all doors share: records that were read become Batches by shard on their way to enrichment,
 * with a bound on the bytes in flight, and are acknowledged when the owner has answered. Each
 * instance stays on one event loop; every door may call it.
 */
@NullMarked
package io.galop.ingest.intake;

import org.jspecify.annotations.NullMarked;
