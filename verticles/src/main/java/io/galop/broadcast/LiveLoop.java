package io.galop.broadcast;

import io.galop.broadcast.edge.Admission;
import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.hub.Caps;
import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.sockjs.Transport;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.node.Node;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The viewers of one kind of listener on one event loop, with a {@link Hub} of their own: they come
 * in, are looked at when tokens may have become bad, and are sent away before the node stops. On
 * that loop.
 */
final class LiveLoop {
  private static final Logger LOG = LoggerFactory.getLogger(LiveLoop.class);

  /** A little more than a websocket takes for its last message. */
  private static final long FAREWELLS_MS = 2500;

  private final Vertx vertx;
  private final NodeFeed feed;
  private final Hub hub;
  private final BroadcastConfig config;
  private final ConditionCompiler conditions;
  private final Expiries expiries;
  private final Runnable unwatch;
  private final Runnable uncap;
  private Caps caps = Caps.of(List.of());
  private boolean isClosed;

  /** To be called on the event loop whose connections it is for; the feed must be deployed. */
  LiveLoop(Vertx vertx, Node node, LiveNode shared) {
    Context loop = vertx.getOrCreateContext();
    this.vertx = vertx;
    this.feed = shared.feed();
    this.config = node.config().broadcast();
    this.conditions = shared.conditions();
    this.hub = new Hub(loop, feed.ring(), feed.shards(), feed.meters(), config);
    this.expiries = new Expiries(vertx);
    feed.attach(hub);
    shared.drain().add(this::drain);
    this.unwatch = shared.edge().watchTokens(this::sweep);
    this.uncap = shared.caps().follow(this::cap);
  }

  private void cap(Caps others) {
    hub.post(
        () -> {
          caps = others;
          hub.subscribers().forEach(this::cap);
        });
  }

  /** Without them it would be sent more than it may. */
  private void cap(Subscriber subscriber) {
    try {
      subscriber.cap(caps);
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a connection could not be capped", fault);
      hub.disconnect(subscriber, Disconnect.FAULT);
    }
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

  /** A viewer that has entered is connected; {@link Conversation#onClosed} lets it leave. */
  Conversation connected(Transport transport, Admission admission) {
    Subscriber subscriber = new Subscriber(hub, transport, config.outboxBytes());
    subscriber.cap(caps);
    Entrance entrance = new Entrance(hub, subscriber, expiries, admission);
    Conversation conversation =
        new Conversation(feed, hub, subscriber, config, entrance, conditions);
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
  Future<Void> close() {
    feed.detach(hub);
    unwatch.run();
    uncap.run();
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
