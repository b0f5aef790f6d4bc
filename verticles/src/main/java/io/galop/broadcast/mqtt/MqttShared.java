package io.galop.broadcast.mqtt;

import io.galop.config.broadcast.BroadcastConfig;
import io.galop.socket.RefusalLog;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.vertx.core.Vertx;

/**
 * What the connections of one event loop share.
 *
 * @param <V> what is known of a viewer
 * @param refusals what is refused, since before MQTT 5 a client cannot be told why
 * @param later a timer of the event loop
 */
record MqttShared<V>(
    MqttAudience<V> audience,
    KeptSessions sessions,
    BroadcastConfig config,
    RefusalLog refusals,
    RefusalLog.Later later) {
  private static final int MOST_CLIENT_ID_BYTES = 1024;
  private static final int SHOWN = 64;

  static <V> MqttShared<V> of(
      Vertx vertx, BroadcastConfig config, KeptSessions sessions, MqttAudience<V> audience) {
    return new MqttShared<>(
        audience,
        sessions,
        config,
        new RefusalLog("mqtt viewers"),
        (delayMs, task) -> vertx.setTimer(delayMs, over -> task.run()));
  }

  /** Makes packets of one connection's bytes. */
  MqttDecoder decoder() {
    return new MqttDecoder(config.maxMessageBytes(), MOST_CLIENT_ID_BYTES);
  }

  /** Says in the log who was refused. */
  void refused(String clientId, MqttRefused why) {
    String who = shown(clientId);
    refusals.refused(
        Integer.toHexString(why.code()),
        who,
        () -> "mqtt viewer %s: 0x%x, %s".formatted(who, why.code(), why.getMessage()),
        later);
  }

  /** Of whatever characters, fit for a log. */
  private static String shown(String clientId) {
    String part = clientId.length() > SHOWN ? clientId.substring(0, SHOWN) + "…" : clientId;
    return part.replaceAll("\\p{Cntrl}", "?");
  }
}
