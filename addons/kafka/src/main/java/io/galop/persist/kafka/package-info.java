/**
 * Kafka as a store behind a sink: records are produced in transactions that also say how far the
 * Log is. On the store's threads, one call at a time; {@code persist} alone opens it.
 */
@NullMarked
package io.galop.persist.kafka;

import org.jspecify.annotations.NullMarked;
