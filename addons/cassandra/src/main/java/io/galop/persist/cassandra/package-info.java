/**
 * Apache Cassandra as a store behind a sink: records are upserted by topic, time and id, in
 * partitions of a topic and a stretch of time. On the store's threads, which wait for the driver's
 * own event loops; {@code persist} alone opens it.
 */
@NullMarked
package io.galop.persist.cassandra;

import org.jspecify.annotations.NullMarked;
