/**
 * The Log: one append-only journal per node, shared by all shards, in which a record is durable
 * before it is acknowledged.
 */
package io.galop.persist.log;
