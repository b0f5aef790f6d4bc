/**
 * The backup tier in a Redis server. By {@code sink.driver} the work is done on one event loop, or
 * on threads of the store with a connection each: some write, others read. {@code persist} makes
 * it; its sink, queries of the history and takeovers of shards call it.
 */
@NullMarked
package io.galop.persist.redis;

import org.jspecify.annotations.NullMarked;
