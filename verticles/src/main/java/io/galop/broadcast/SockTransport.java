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
   * What is written in one turn of the event loop goes out as one array, except on the raw
   * websocket.
   */
  @Override
  public boolean write(Bundle bundle, Receipt receipt) {
    for (Frame frame : bundle.frames()) {
      int records = frame.isRecord() ? 1 : 0;
      write(frame).onComplete(done -> receipt.onLeft(frame.size(), records, done.succeeded()));
    }
    return false;
  }

  /**
   * As a text, since the raw websocket would send a Buffer as a binary message. Whatever is wrong
   * with one connection must not keep the others from their records.
   */
  private Future<Void> write(Frame frame) {
    try {
      return socket.write(frame.text());
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  /** The stock handler has heartbeats of its own. */
  @Override
  public void onBeat() {}

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
