package io.galop.ops.drill;

import io.galop.node.DrillPass;
import io.galop.ops.drill.DrillRun.Way;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.mqtt.MqttClient;
import io.vertx.mqtt.MqttClientOptions;
import io.vertx.mqtt.messages.MqttPublishMessage;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A viewer with MQTT 3.1.1 and QoS 1. It comes back into its session, as such clients do; all share
 * one, so that a node keeps no more.
 */
final class SessionViewer extends DrillViewer {
  /** Nobody else can take the session over. */
  private static final String CLIENT_ID = "drill-" + UUID.randomUUID();

  private static final String NOTICES = "$galop/";
  private static final int REFUSED = 0x80;

  private final Vertx vertx;
  private final OwnPort port;
  private final String topic;
  private final SessionRecords records;

  /** Whether it has a session to come back into. */
  private boolean isKnown;

  private @Nullable MqttClient client;

  SessionViewer(Vertx vertx, OwnPort port, Way way, Consumer<DrillEvent.OfViewer> events) {
    super(DrillStage.MQTT, way, events);
    this.vertx = vertx;
    this.port = port;
    this.topic = way.topic();
    this.records = new SessionRecords(way.idPrefix(), way.number());
  }

  @Override
  Future<?> connect(String since, Consumer<String> messages, Runnable onEnd) {
    if (isKnown) {
      return connected(open(false, messages), onEnd); // the node says what became of the session
    }
    MqttClient before = open(true, ignored -> {});
    return connected(before, () -> {})
        .compose(forgotten -> before.disconnect())
        .compose(left -> connected(open(false, messages), onEnd))
        .compose(this::subscribe)
        .onSuccess(
            registered -> {
              isKnown = true;
              messages.accept("{\"type\":\"resumed\",\"complete\":true}");
            });
  }

  /**
   * @param isClean whether the session is forgotten
   */
  private MqttClient open(boolean isClean, Consumer<String> messages) {
    MqttClientOptions options = port.mqtt();
    options.setClientId(CLIENT_ID).setPassword(DrillPass.text()).setUsername("drill");
    options.setCleanSession(isClean);
    MqttClient open = MqttClient.create(vertx, options);
    open.publishHandler(message -> take(message, messages));
    client = open;
    return open;
  }

  private Future<MqttClient> connected(MqttClient with, Runnable onEnd) {
    SocketAddress at = port.mqttAddress();
    return with.connect(at.port(), at.host())
        .map(
            there -> {
              with.closeHandler(closed -> onEnd.run());
              return with;
            });
  }

  private Future<?> subscribe(MqttClient with) {
    Promise<Void> granted = Promise.promise();
    with.subscribeCompletionHandler(
        answer -> {
          if (answer.grantedQoSLevels().stream().anyMatch(code -> code >= REFUSED)) {
            granted.tryFail("the subscription is refused");
          } else {
            granted.tryComplete();
          }
        });
    return with.subscribe(Map.of(NOTICES + "#", 0, topic, 1)).compose(sent -> granted.future());
  }

  private void take(MqttPublishMessage message, Consumer<String> messages) {
    String payload = message.payload().toString();
    if (message.topicName().startsWith(NOTICES)) {
      messages.accept(payload);
    } else {
      records.message(payload, message.isRetain()).ifPresent(messages);
    }
  }

  @Override
  void disconnect() {
    if (client != null && client.isConnected()) {
      client.disconnect();
    }
  }
}
