/**
 * The doors, http, tcp, mqtt, bus, ring and poll, and what they share: reading and checking
 * records, the bytes in flight, and Batches by shard on their way to enrichment. A connection stays
 * on one event loop; nothing is acknowledged before the owner answered.
 */
package io.galop.ingest;
