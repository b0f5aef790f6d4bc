/**
 * Finds who gets a record and how: filters, registrations, a backlog for a slow Subscriber,
 * conflation for one that wants the newest. One {@link io.galop.broadcast.hub.Hub} per event loop,
 * with all of its Subscribers; the feed posts to it.
 */
@NullMarked
package io.galop.broadcast.hub;

import org.jspecify.annotations.NullMarked;
