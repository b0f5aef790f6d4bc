package io.galop.broadcast.sockjs;

import io.vertx.core.buffer.Buffer;

/** Who hears what a browser says and what becomes of its connection, on one event loop. */
public interface Connection {
  /** Where none came about, nobody hears. */
  Connection NOBODY =
      new Connection() {
        @Override
        public void onMessage(Buffer message) {}

        @Override
        public void onMessageTooLarge() {}

        @Override
        public void onClosed() {}
      };

  void onMessage(Buffer message);

  /** Whether binary messages of the raw websocket are heard; else one ends it with 1003. */
  default boolean hearsBinary() {
    return false;
  }

  /** A binary message, where they are heard. */
  default void onBinary(Buffer message) {
    throw new IllegalStateException("binary messages are not heard");
  }

  /** The browser says nothing more: where it has nothing to hear, the connection ends. */
  default void onLastMessage() {}

  /** The browser said more than is read; the message is lost. */
  void onMessageTooLarge();

  /** The connection is no more. */
  void onClosed();
}
