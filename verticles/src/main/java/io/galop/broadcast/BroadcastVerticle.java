package io.galop.broadcast;

import io.galop.broadcast.edge.Edge;
import io.galop.broadcast.edge.ViewerVerticle;
import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.mqtt.KeptSessions;
import io.galop.broadcast.sockjs.Sessions;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Follows the feed for this node: one instance, whatever the number of event loops. */
public final class BroadcastVerticle extends VerticleBase {
  /** Sessions that have ended stay for a while, so that their browsers can ask why. */
  private static final int SESSIONS_PER_CONNECTION = 2;

  private final Node node;
  private final ViewerVerticle viewers;

  /** Null before the start. */
  private @Nullable LiveNode live;

  /**
   * @param viewers is deployed before
   */
  public BroadcastVerticle(Node node, ViewerVerticle viewers) {
    this.node = node;
    this.viewers = viewers;
  }

  @Override
  public Future<?> start() {
    Edge edge = new Edge(node.config(), node.meters(), viewers.tokens());
    node.settings().offer("broadcast.limits", next -> edge.limit(next.broadcast().limits()));
    LiveCaps caps = new LiveCaps(node.config().broadcast().caps());
    node.settings().offer("broadcast.caps", next -> caps.change(next.broadcast().caps()));
    int maxSessions = SESSIONS_PER_CONNECTION * node.config().broadcast().maxConnections();
    ConditionCompiler conditions = new ConditionCompiler(vertx, node.config().broadcast().where());
    LiveNode shared =
        new LiveNode(
            new NodeFeed(vertx, node),
            edge,
            new Sessions<>(maxSessions),
            new KeptSessions(node.config().broadcast().mqtt().maxSessions(), node.meters()),
            new Drain(vertx, node, edge::close),
            conditions,
            caps);
    live = shared;
    NodeFeed feed = shared.feed();
    MissingReport.offer(node, feed);
    feed.meters()
        .gauge("sessions", "Sessions of browsers without a websocket", shared.sessions()::count);
    feed.meters()
        .gauge("conditions.waiting", "Conditions of browsers to be read", conditions::waiting);
    ViewerReports.share(vertx, node, feed::hubs);
    node.reports().share("explain/shown", new ShownReport(feed));
    return feed.start();
  }

  /** What the endpoints share; there when the verticle is deployed. */
  public LiveNode live() {
    return Objects.requireNonNull(live, "not deployed yet");
  }

  /** What the node knows of the feed; there when the verticle is deployed. */
  public NodeFeed feed() {
    return live().feed();
  }

  @Override
  public Future<?> stop() {
    LiveNode begun = live;
    if (begun != null) {
      begun.feed().close();
    }
    return Future.succeededFuture();
  }

  /**
   * Sends the browsers of this node to others, before it stops: see {@code broadcast.drainSeconds}.
   *
   * @return succeeds when all were told to go
   */
  public Future<?> drain() {
    return live().drain().begin();
  }
}
