package io.galop.broadcast;

import io.galop.broadcast.edge.Admission;
import io.galop.broadcast.edge.EdgeRefusal;
import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.sockjs.Connection;
import io.galop.broadcast.sockjs.Service;
import io.galop.broadcast.sockjs.SockJsEndpoint;
import io.galop.broadcast.sockjs.SockJsOptions;
import io.galop.broadcast.sockjs.StreamEndpoint;
import io.galop.broadcast.sockjs.Transport;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.node.Node;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * SockJS at {@code /live}, a plain websocket at {@code /live/websocket}, and plain responses at
 * {@code /stream}: one for each event loop that serves HTTP, made on that loop, with the loop's
 * {@link Hub}.
 */
public final class LiveEndpoint implements Service<Admission> {
  private static final String PATH = "/live";

  /** A little more than a websocket takes for its last message. */
  private static final long FAREWELLS_MS = 2500;

  /** Relative to the iframe's own page, so that it is right behind any proxy. */
  private static final String LIBRARY = "../vendor/sockjs.min.js";

  private final Vertx vertx;
  private final LiveNode shared;
  private final NodeFeed feed;
  private final Hub hub;
  private final BroadcastConfig config;
  private final Expiries expiries;
  private final Runnable unwatch;
  private boolean isClosed;

  /** To be called on the event loop whose connections it is for; the feed must be deployed. */
  public LiveEndpoint(Vertx vertx, Node node, LiveNode shared) {
    Context loop = vertx.getOrCreateContext();
    this.vertx = vertx;
    this.shared = shared;
    this.feed = shared.feed();
    this.config = node.config().broadcast();
    this.hub = new Hub(loop, feed.ring(), feed.shards(), feed.meters(), config);
    this.expiries = new Expiries(vertx);
    feed.attach(hub);
    shared.drain().add(this::drain);
    this.unwatch = shared.edge().watchTokens(this::sweep);
  }

  private Future<Integer> sweep() {
    Promise<Integer> gone = Promise.promise();
    hub.post(
        () -> {
          try {
            gone.complete(expiries.sweep());
          } catch (RuntimeException fault) {
            gone.fail(fault);
          }
        });
    return gone.future();
  }

  private Future<Void> drain(long overMs) {
    Promise<Void> gone = Promise.promise();
    hub.post(
        () -> {
          isClosed = true;
          new Departure(vertx, hub, overMs).begin().onComplete(gone);
        });
    return gone.future();
  }

  /** Adds the routes. */
  public void mount(Router router) {
    router.route(PATH + "/*").handler(shared.edge()::admit);
    new SockJsEndpoint<>(vertx, options(), shared.sessions(), this).mount(router);
    StreamEndpoint<Admission> streams =
        new StreamEndpoint<>(vertx, this, config.disconnectDelayMs());
    router.route(StreamRoute.PATH + "/*").handler(StreamRoute::begin).handler(shared.edge()::admit);
    router
        .route(StreamRoute.PATH + "/*")
        .handler(new StreamRoute(config, feed.shards(), streams)::handle);
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
    Subscriber subscriber = new Subscriber(hub, transport, config.outboxBytes());
    Entrance entrance = new Entrance(hub, subscriber, expiries, admission);
    Connection conversation = new Conversation(feed, hub, subscriber, config, entrance);
    try {
      hub.connected(subscriber);
      if (isClosed) {
        hub.disconnect(subscriber, Disconnect.SHUTDOWN);
      } else {
        entrance.judge(); // its token may have become bad since it was let in
      }
      return conversation;
    } catch (RuntimeException | OutOfMemoryError fault) {
      expiries.forget(entrance);
      hub.closed(subscriber);
      throw fault;
    }
  }

  /**
   * Ends all connections of this event loop, which come back elsewhere, and takes no more; before
   * the node shuts down.
   *
   * @return succeeds when they have ended, or after a time in which they should have
   */
  public Future<Void> close() {
    feed.detach(hub);
    unwatch.run();
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
