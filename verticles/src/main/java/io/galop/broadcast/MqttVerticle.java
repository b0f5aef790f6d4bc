package io.galop.broadcast;

import io.galop.broadcast.edge.Admission;
import io.galop.broadcast.mqtt.MqttListener;
import io.galop.config.Listener;
import io.galop.node.Node;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Viewers that come by MQTT: one event loop's share of them, with a Hub of their own. */
public final class MqttVerticle extends VerticleBase {
  private final Node node;
  private final LiveNode shared;

  /** Null before the start. */
  private @Nullable LiveLoop loop;

  /** Null before the start. */
  private @Nullable MqttListener<Admission> listener;

  private MqttVerticle(Node node, LiveNode shared) {
    this.node = node;
    this.shared = shared;
  }

  /** One for each event loop of a node. */
  public static IntFunction<Deployable> each(Node node, LiveNode shared) {
    return index -> new MqttVerticle(node, shared);
  }

  @Override
  public Future<?> start() {
    LiveLoop opening = new LiveLoop(vertx, node, shared);
    loop = opening;
    MqttListener<Admission> opened =
        new MqttListener<>(
            vertx,
            node.config().broadcast(),
            shared.mqttSessions(),
            new MqttEntrance(shared.edge(), opening));
    listener = opened;
    return node.listeners().open(Listener.of(node.config(), Listener.MQTT_VIEWERS), opened::listen);
  }

  @Override
  public Future<?> stop() {
    node.listeners().closed(Listener.MQTT_VIEWERS);
    Future<Void> gone = loop == null ? Future.succeededFuture() : loop.close();
    return gone.eventually(() -> listener == null ? Future.succeededFuture() : listener.close());
  }
}
