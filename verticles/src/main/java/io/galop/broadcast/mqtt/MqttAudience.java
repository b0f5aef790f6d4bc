package io.galop.broadcast.mqtt;

import io.galop.broadcast.sockjs.Transport;

/**
 * Who takes the viewers that come by MQTT. On the event loop of the connections.
 *
 * @param <V> what is known of a viewer
 */
public interface MqttAudience<V> {
  /**
   * Takes a place for one more viewer. It is given back by {@link #leave} if no connection comes
   * about; else it is the seat's, until {@link MqttSeat#closed}.
   *
   * @param token what it shows; empty: nothing
   * @param site where it is, as limits count it
   * @throws MqttRefused if it may not come in
   */
  V enter(String token, String site) throws MqttRefused;

  /** Whom the viewer's token names: nobody else gets its session. */
  String owner(V viewer);

  /** Gives back the place of a viewer that was never connected. */
  void leave(V viewer);

  /** A viewer that has entered is connected. */
  MqttSeat connected(Transport transport, V viewer);
}
