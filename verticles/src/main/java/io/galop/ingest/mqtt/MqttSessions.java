package io.galop.ingest.mqtt;

import io.galop.config.ingest.MqttDoorConfig;
import io.galop.ingest.publisher.Publisher;
import io.galop.node.Node;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The MQTT clients of a node by publisher and client id: which connection each has, and the
 * sessions of those that have gone and may come back. In the memory of this node only.
 *
 * <p>A client has one connection. When it comes again while the node still has an old one, the old
 * one ends first and its will is told before the new one begins: else the client would be reported
 * gone when it is back. Safe to call from any thread.
 */
final class MqttSessions implements Shareable {
  private record Kept(MqttSession session, int cost, long untilNanos) {}

  private final Map<String, MqttConnection> connected = new LinkedHashMap<>();

  /** In the order in which they were left; their costs are at most {@code maxSessions}. */
  private final Map<String, Kept> left = new LinkedHashMap<>();

  private final MqttDoorConfig config;
  private final Counter forgotten;
  private int cost;

  private MqttSessions(Node node) {
    this.config = node.config().ingest().mqtt();
    this.forgotten =
        Counter.builder("galop.ingest.mqtt.sessions.forgotten")
            .description("Sessions of MQTT clients that were forgotten early for lack of room.")
            .register(node.meters());
    Gauge.builder("galop.ingest.mqtt.sessions", this, MqttSessions::cost)
        .description("Sessions of MQTT clients that have gone, and their unreleased messages.")
        .register(node.meters());
  }

  /** Those of this node, which is one Vert.x. */
  static MqttSessions of(Vertx vertx, Node node) {
    return vertx
        .sharedData()
        .<String, MqttSessions>getLocalMap("galop.ingest")
        .computeIfAbsent("mqttSessions", name -> new MqttSessions(node));
  }

  /** Publishers may give their clients the same ids; nobody gets another's session. */
  static String id(Publisher publisher, String clientId) {
    return publisher.name() + "\n" + clientId;
  }

  private synchronized int cost() {
    return cost;
  }

  /**
   * A client has come.
   *
   * @return succeeds when nothing is left of its connection before; at once if there was none
   */
  Future<Void> enter(String id, MqttConnection connection) {
    MqttConnection before;
    synchronized (this) {
      before = connected.put(id, connection);
    }
    return before == null ? Future.succeededFuture() : before.giveWay();
  }

  /** The session that a client left, if it is still known; nobody else gets it. */
  synchronized Optional<MqttSession> resume(String id) {
    Kept kept = left.remove(id);
    if (kept == null) {
      return Optional.empty();
    }
    cost -= kept.cost();
    return kept.untilNanos - System.nanoTime() > 0 ? Optional.of(kept.session) : Optional.empty();
  }

  /** A connection has ended; its session is kept for so long. */
  synchronized void leave(
      String id, MqttConnection connection, MqttSession session, long keepSeconds) {
    connected.remove(id, connection);
    if (keepSeconds <= 0) {
      return;
    }
    long untilNanos = System.nanoTime() + keepSeconds * 1_000_000_000L;
    Kept kept = new Kept(session, 1 + session.size(), untilNanos);
    Kept before = left.put(id, kept);
    cost += kept.cost() - (before == null ? 0 : before.cost());
    Iterator<Kept> oldest = left.values().iterator();
    while (cost > config.maxSessions()) {
      Kept first = oldest.next();
      oldest.remove();
      cost -= first.cost();
      forgotten.increment();
    }
  }
}
