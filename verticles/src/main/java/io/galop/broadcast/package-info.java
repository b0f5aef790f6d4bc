/**
 * Shows records to browsers. One {@link io.galop.broadcast.NodeFeed} per node follows the owners of
 * all shards; one {@link io.galop.broadcast.Hub} per event loop passes on what its Subscribers have
 * registered for; docs/protocol.md is the protocol with the browser.
 */
package io.galop.broadcast;
