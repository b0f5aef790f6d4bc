package io.galop.broadcast.mqtt;

/** One connection as a peer needs it, whatever carries its packets. On its event loop. */
interface MqttSocket {
  /** Where the client is, as limits count it. */
  String site();

  /** Hands over no more packets until {@link #resume}. */
  void pause();

  void resume();

  /** Calls a task once when the connection has ended. */
  void onClosed(Runnable task);
}
