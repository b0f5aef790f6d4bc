package io.galop.broadcast;

import io.galop.bus.Node;
import io.galop.config.BroadcastConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.sockjs.SockJSHandler;
import io.vertx.ext.web.handler.sockjs.SockJSHandlerOptions;
import io.vertx.ext.web.handler.sockjs.SockJSSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * SockJS at {@code /live}, and a plain websocket at {@code /live/websocket}: one for each event
 * loop that serves HTTP, made on that loop, with the loop's {@link Hub}.
 */
public final class LiveEndpoint {
  private static final String PATH = "/live";

  /** A little more than a {@link SockTransport} takes for its last message. */
  private static final long FAREWELLS_MS = 2500;

  /** Relative to the iframe's own page, so that it is right behind any proxy. */
  private static final String LIBRARY = "../vendor/sockjs.min.js";

  /**
   * The session id must stay the only capturing group of the path: SockJS takes it from there. See
   * {@link #closeAfterAnswer}.
   */
  private static final String ANSWERED_ONCE =
      PATH + "/[^/]+/[^/]+/(?:xhr|xhr_streaming|jsonp|htmlfile|eventsource)";

  private final Vertx vertx;
  private final NodeFeed feed;
  private final Hub hub;
  private final BroadcastConfig config;
  private boolean isClosed;

  /** To be called on the event loop whose connections it is for; the feed must be deployed. */
  public LiveEndpoint(Vertx vertx, Node node, NodeFeed feed) {
    Context loop = vertx.getOrCreateContext();
    this.vertx = vertx;
    this.feed = feed;
    this.config = node.config().broadcast();
    this.hub = new Hub(loop, feed.ring(), feed.shards(), feed.meters(), config);
    feed.attach(hub);
  }

  /** Adds the routes. */
  public void mount(Router router) {
    Origins origins = new Origins(config.origins());
    router.route(PATH + "/*").handler(origins::check);
    new WebsocketEndpoint(PATH, this::connected).mount(router);
    closeAfterAnswer(router);
    BodyHandler body = BodyHandler.create(false).setBodyLimit(config.maxMessageBytes());
    router.post(PATH + "/*").handler(body).failureHandler(this::refuseLargeBody);
    router.route(PATH + "/*").handler(feed.gate()::pass);
    SockJSHandlerOptions options =
        new SockJSHandlerOptions()
            .setLibraryURL(LIBRARY)
            .setInsertJSESSIONID(false)
            .setHeartbeatInterval(config.heartbeatMs());
    router
        .route(PATH + "/*")
        .subRouter(SockJSHandler.create(vertx, options).socketHandler(this::connected));
  }

  private void refuseLargeBody(RoutingContext context) {
    if (context.statusCode() != 413) {
      context.next();
      return;
    }
    context
        .response()
        .setStatusCode(413)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end("{\"error\":\"messages may have " + config.maxMessageBytes() + " bytes\"}");
  }

  /**
   * The stock handler closes the TCP connection after each of these answers without saying so, and
   * the next request on a kept-alive connection, such as a proxy's, would fail.
   */
  private static void closeAfterAnswer(Router router) {
    router
        .routeWithRegex(ANSWERED_ONCE)
        .handler(
            context -> {
              context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
              context.next();
            });
  }

  /** A browser on one of the transports of the stock handler. */
  private void connected(SockJSSocket socket) {
    Connection connection = connected(new SockTransport(vertx, socket));
    socket.closeHandler(closed -> connection.onClosed());
    socket.exceptionHandler(broken -> {});
    socket.handler(connection::onMessage);
  }

  private Connection connected(Transport transport) {
    AtomicInteger connections = feed.meters().connections();
    Subscriber subscriber = new Subscriber(hub, transport, config.outboxBytes());
    connections.incrementAndGet();
    hub.connected(subscriber);
    if (isClosed) {
      hub.disconnect(subscriber, Disconnect.SHUTDOWN);
    } else if (connections.get() > config.maxConnections()) {
      hub.disconnect(subscriber, Disconnect.FULL);
    }
    return new Conversation(feed, hub, subscriber, config);
  }

  /**
   * Ends all connections of this event loop, which come back elsewhere, and takes no more; before
   * the node shuts down.
   *
   * @return succeeds when they have ended, or after a time in which they should have
   */
  public Future<Void> close() {
    feed.detach(hub);
    Promise<Void> ended = Promise.promise();
    hub.post(
        () -> {
          isClosed = true;
          hub.disconnectAll(Disconnect.SHUTDOWN);
          awaitEnd(ended, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FAREWELLS_MS));
        });
    return ended.future();
  }

  private void awaitEnd(Promise<Void> ended, long deadlineNanos) {
    if (hub.isEmpty() || System.nanoTime() > deadlineNanos) {
      ended.complete();
    } else {
      vertx.setTimer(20, timer -> awaitEnd(ended, deadlineNanos));
    }
  }

  Hub hub() {
    return hub;
  }
}
