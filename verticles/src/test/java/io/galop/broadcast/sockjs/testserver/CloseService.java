package io.galop.broadcast.sockjs.testserver;

import io.galop.broadcast.sockjs.Closing;
import io.galop.broadcast.sockjs.Connection;
import io.galop.broadcast.sockjs.Transport;
import io.vertx.core.buffer.Buffer;

/** Sends everybody away at once. */
final class CloseService extends OpenService {
  private static final Connection DEAF =
      new Connection() {
        @Override
        public void onMessage(Buffer message) {}

        @Override
        public void onMessageTooLarge() {}

        @Override
        public void onClosed() {}
      };

  @Override
  public Connection connected(Transport transport, String viewer) {
    transport.close(new Closing(3000, "Go away!"));
    return DEAF;
  }
}
