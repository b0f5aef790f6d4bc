package io.galop.broadcast;

import io.galop.broadcast.feed.NodeFeed;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Follows the feed for this node: one instance, whatever the number of event loops. */
public final class BroadcastVerticle extends VerticleBase {
  private final Node node;
  private NodeFeed feed;

  public BroadcastVerticle(Node node) {
    this.node = node;
  }

  @Override
  public Future<?> start() {
    feed = new NodeFeed(vertx, node);
    return feed.start();
  }

  /** What the endpoints listen to; there when the verticle is deployed. */
  public NodeFeed feed() {
    return feed;
  }

  /**
   * Sends the browsers of this node to others, before it stops: see {@code broadcast.drainSeconds}.
   *
   * @return succeeds when all were told to go
   */
  public Future<?> drain() {
    return feed.drain().begin();
  }
}
