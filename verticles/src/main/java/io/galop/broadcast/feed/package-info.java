/**
 * Follows the owners of all shards and keeps the newest of each topic. One {@link
 * io.galop.broadcast.feed.NodeFeed} per node, on the feed loop; it posts to the hubs and answers
 * their questions for records they lack.
 */
@NullMarked
package io.galop.broadcast.feed;

import org.jspecify.annotations.NullMarked;
