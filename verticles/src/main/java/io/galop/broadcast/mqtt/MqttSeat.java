package io.galop.broadcast.mqtt;

import io.vertx.core.json.JsonObject;

/** What one connected viewer has registered. On the event loop of its connection. */
public interface MqttSeat {
  /**
   * Registers a filter.
   *
   * @param headers as those of a {@code register} on the websocket
   * @throws MqttRefused if it is not registered
   */
  void register(String filter, JsonObject headers) throws MqttRefused;

  /** Sends the last values of a filter that is registered once more. */
  void showAgain(String filter);

  /** Ends a registration, if there is one. */
  void unregister(String filter);

  /** The connection is no more. */
  void closed();
}
