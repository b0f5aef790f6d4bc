package io.galop.broadcast.sockjs;

import io.vertx.core.buffer.Buffer;

/** Who hears what a browser says and what becomes of its connection, on one event loop. */
public interface Connection {
  void onMessage(Buffer message);

  /** The browser said more than is read; the message is lost. */
  void onMessageTooLarge();

  /** The connection is no more. */
  void onClosed();
}
