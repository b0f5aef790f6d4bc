package io.galop.ingest.mqtt;

import io.galop.ingest.parse.JsonText;
import io.galop.record.Rejection;
import io.galop.socket.RefusalLog;
import io.vertx.core.Vertx;

/**
 * What is refused at the door, in the log: before MQTT 5 a sender cannot be told why. On one event
 * loop.
 *
 * @param log bounds the lines
 * @param later runs what is to be summed up
 */
record MqttRefusals(RefusalLog log, RefusalLog.Later later) {
  private static final int SHOWN = 64;
  private static final int LONGEST = 1_000;

  /** Those of the doors of one event loop. */
  static MqttRefusals on(Vertx vertx) {
    return new MqttRefusals(
        new RefusalLog("mqtt door"),
        (delayMs, task) -> vertx.setTimer(delayMs, over -> task.run()));
  }

  /**
   * Says who was refused.
   *
   * @param clientId of the sender, in any characters
   * @param consequence what becomes of the message or the connection
   */
  void tell(String clientId, Rejection rejection, String consequence) {
    String who = JsonText.shown(clientId, SHOWN);
    String reason = rejection.reason().word();
    log.refused(
        reason,
        who,
        () ->
            "mqtt client %s: %s: %s; %s"
                .formatted(who, reason, JsonText.shown(rejection.detail(), LONGEST), consequence),
        later);
  }
}
