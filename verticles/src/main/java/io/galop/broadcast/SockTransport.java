package io.galop.broadcast;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.handler.sockjs.SockJSSocket;

/**
 * Writes through the stock SockJS handler, on all of its transports. It counts nothing by itself:
 * its writeQueueFull never tells of a slow reader, the result of each write does.
 */
final class SockTransport implements Transport {
  /** How long the last message may take before the connection is closed all the same. */
  private static final long FAREWELL_MS = 2000;

  private final Vertx vertx;
  private final SockJSSocket socket;
  private boolean isClosed;

  SockTransport(Vertx vertx, SockJSSocket socket) {
    this.vertx = vertx;
    this.socket = socket;
  }

  /**
   * As a text, since the raw websocket would send a Buffer as a binary message. Whatever is wrong
   * with one connection must not keep the others from their records.
   */
  @Override
  public Future<Void> write(Frame frame) {
    try {
      return socket.write(frame.text());
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  @Override
  public void close(Disconnect why) {
    long timer = vertx.setTimer(FAREWELL_MS, late -> closeNow(why));
    write(why.farewell())
        .onComplete(
            done -> {
              vertx.cancelTimer(timer);
              closeNow(why);
            });
  }

  /** Only the raw websocket can carry the code here; the others end with SockJS's own. */
  private void closeNow(Disconnect why) {
    if (!isClosed) {
      isClosed = true;
      socket.close(why.code(), why.reason());
    }
  }
}
