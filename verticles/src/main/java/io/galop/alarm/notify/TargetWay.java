package io.galop.alarm.notify;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** One way to tell somebody. */
interface TargetWay {
  /**
   * Sends a message, in the time that is configured for it; see {@link TargetQueue#message}.
   *
   * @return on the loop of alarms: succeeds when it was taken; a failure says why in words, without
   *     secrets
   */
  Future<Void> send(JsonObject message);

  void close();
}
