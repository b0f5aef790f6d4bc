package io.galop;

import io.galop.broadcast.LiveEndpoint;
import io.galop.broadcast.LiveNode;
import io.galop.broadcast.edge.TopicGate;
import io.galop.broadcast.edge.ViewerVerticle;
import io.galop.ingest.http.HttpDoor;
import io.galop.node.Node;
import io.galop.persist.history.AnswerBudget;
import io.galop.persist.history.AnswerCache;
import io.galop.persist.history.HistoryEndpoint;
import io.galop.presence.PresenceEndpoint;
import io.galop.vertx.Loop;
import io.vertx.core.Deployable;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * What the roles of a node put on the HTTP port. Filled by the thread that starts the node; the
 * routes themselves are made on each event loop.
 */
final class NodeRoutes {
  private final Node node;
  private final ViewerVerticle viewers;
  private final List<Function<Vertx, Routes>> routes = new ArrayList<>();

  NodeRoutes(Node node) {
    this.node = node;
    this.viewers = new ViewerVerticle(node);
  }

  /** Who may ask for records; to be deployed before the routes are made. */
  ViewerVerticle viewers() {
    return viewers;
  }

  /** Records by POST. */
  void door() {
    routes.add(0, loop -> Routes.of(new HttpDoor(loop, node)::mount));
  }

  /** Browsers, and the page for them. */
  void live(LiveNode shared) {
    routes.add(
        loop -> {
          LiveEndpoint live = new LiveEndpoint(loop, node, shared);
          return new Routes(live::mount, live::close);
        });
    PageFiles files = new PageFiles(node.config().http().pages());
    routes.add(loop -> Routes.of(files::mount));
  }

  /** The past and who watches, behind the gate that all requests for topics pass. */
  void history(Optional<AnswerCache> answers) {
    AnswerBudget budget = new AnswerBudget(node.config().persist().history(), node.meters());
    routes.add(0, loop -> Routes.of(new HistoryEndpoint(node, answers, budget)::mount));
    routes.add(0, loop -> presence(new PresenceEndpoint(node, Loop.current(), false)));
    TopicGate gate = new TopicGate(node.config(), viewers.tokens());
    routes.add(0, loop -> Routes.of(gate::mount));
  }

  /** As for all topics, the answer to HEAD is that to GET, of which Vert.x writes no body. */
  private static Routes presence(PresenceEndpoint presence) {
    return Routes.of(
        router ->
            presence.mount(
                router
                    .route(PresenceEndpoint.PATH)
                    .method(HttpMethod.GET)
                    .method(HttpMethod.HEAD)));
  }

  /** The HTTP server of each event loop, with all routes. */
  IntFunction<Deployable> fronts() {
    Connections connections = new Connections(node.config().http(), node.meters());
    return index -> new HttpFront(node, connections, routes);
  }
}
