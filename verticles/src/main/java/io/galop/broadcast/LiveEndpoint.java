package io.galop.broadcast;

import io.galop.broadcast.deflate.LoopDeflate;
import io.galop.broadcast.edge.Admission;
import io.galop.broadcast.edge.Edge;
import io.galop.broadcast.edge.EdgeRefusal;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.mqtt.MqttWebsocket;
import io.galop.broadcast.sockjs.Connection;
import io.galop.broadcast.sockjs.Service;
import io.galop.broadcast.sockjs.SockJsEndpoint;
import io.galop.broadcast.sockjs.SockJsOptions;
import io.galop.broadcast.sockjs.StreamEndpoint;
import io.galop.broadcast.sockjs.Transport;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * SockJS at {@code /live}, a plain websocket at {@code /live/websocket}, plain responses at {@code
 * /stream}, and MQTT in a websocket at {@code /mqtt}: one for each event loop that serves HTTP,
 * made on that loop, with the loop's {@link Hub}.
 */
public final class LiveEndpoint implements Service<Admission> {
  private static final String PATH = "/live";

  /** Relative to the iframe's own page, so that it is right behind any proxy. */
  private static final String LIBRARY = "../vendor/sockjs.min.js";

  private final Vertx vertx;
  private final LiveNode shared;
  private final LiveLoop loop;
  private final BroadcastConfig config;
  private final @Nullable LoopDeflate deflate;

  /** To be called on the event loop whose connections it is for; the feed must be deployed. */
  public LiveEndpoint(Vertx vertx, Node node, LiveNode shared) {
    this.vertx = vertx;
    this.shared = shared;
    this.config = node.config().broadcast();
    this.loop = new LiveLoop(vertx, node, shared);
    this.deflate = LoopDeflate.of(config, node.meters());
  }

  /** Adds the routes. */
  public void mount(Router router) {
    router.route(PATH + "/*").handler(shared.edge()::admit);
    new SockJsEndpoint<>(vertx, options(), shared.sessions(), this, deflate).mount(router);
    StreamEndpoint<Admission> streams =
        new StreamEndpoint<>(vertx, this, config.disconnectDelayMs());
    router.route(StreamRoute.PATH + "/*").handler(StreamRoute::begin).handler(shared.edge()::admit);
    router
        .route(StreamRoute.PATH + "/*")
        .handler(
            new StreamRoute(config, shared.feed().shards(), streams, shared.conditions())::handle);
    if (config.mqtt().websocket()) {
      mountMqtt(router);
    }
  }

  /** Who comes is asked for its token in the first packet, not in the request. */
  private void mountMqtt(Router router) {
    Edge edge = shared.edge();
    MqttWebsocket<Admission> websocket =
        new MqttWebsocket<>(vertx, config, shared.mqttSessions(), new MqttEntrance(edge, loop));
    router
        .route(MqttWebsocket.PATH)
        .handler(edge::admitOrigin)
        .handler(asked -> websocket.upgrade(asked.request(), edge.site(asked.request())));
  }

  private SockJsOptions options() {
    return new SockJsOptions(
        PATH,
        Set.copyOf(config.transports()),
        LIBRARY,
        config.cookieNeeded(),
        SockJsOptions.RESPONSE_BYTES,
        config.maxMessageBytes(),
        config.disconnectDelayMs());
  }

  @Override
  public Admission viewer(RoutingContext request) {
    return Admission.of(request);
  }

  @Override
  public boolean isSame(Admission opener, Admission other) {
    return opener.isSameViewer(other);
  }

  @Override
  public boolean enter(Admission admission, RoutingContext request) {
    Optional<EdgeRefusal> refusal = admission.enter();
    refusal.ifPresent(why -> why.answer(request));
    return refusal.isEmpty();
  }

  @Override
  public void leave(Admission admission) {
    admission.leave();
  }

  /** {@link Conversation#onClosed} lets the browser leave. */
  @Override
  public Connection connected(Transport transport, Admission admission) {
    return loop.connected(transport, admission);
  }

  /**
   * Ends all connections of this event loop, which come back elsewhere, and takes no more; before
   * the node shuts down.
   *
   * @return succeeds when they have ended, or after a time in which they should have
   */
  public Future<Void> close() {
    return loop.close()
        .andThen(
            ended -> {
              if (deflate != null) {
                deflate.close();
              }
            });
  }

  Hub hub() {
    return loop.hub();
  }
}
