/** The backup tier in a Redis server. */
package io.galop.persist.redis;
