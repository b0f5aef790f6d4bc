package io.galop.broadcast;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.http.ServerWebSocket;
import java.util.concurrent.TimeUnit;

/**
 * Writes bytes that all Subscribers share straight to the connection. Vert.x's own way copies,
 * wraps and queues each message for each connection.
 */
final class WebsocketTransport implements Transport {
  /** How long the last message may take before the websocket is closed all the same. */
  private static final long FAREWELL_MS = 2_000;

  /** How long the websocket's closing may then take before the connection is cut off. */
  private static final long CLOSING_MS = 10_000;

  private static final short NORMAL = 1000;

  private final ServerWebSocket socket;
  private final Wire wire;
  private final Framing framing;
  private int silentBeats;
  private boolean isClosing;

  WebsocketTransport(ServerWebSocket socket, Wire wire, Framing framing) {
    this.socket = socket;
    this.wire = wire;
    this.framing = framing;
  }

  /** Says what the protocol begins with. */
  void open() {
    ByteBuf opening = framing.opening();
    if (opening.isReadable()) {
      wire.write(opening);
    }
  }

  @Override
  public boolean write(Bundle bundle, Receipt receipt) {
    silentBeats = 0;
    ChannelFuture left = wire.write(bundle.encoded(framing, wire.out().alloc()));
    if (left == null) {
      return true;
    }
    int size = bundle.size();
    int records = bundle.records();
    left.addListener(done -> receipt.onLeft(size, records, done.isSuccess()));
    return false;
  }

  @Override
  public void onBeat() {
    silentBeats++;
    if (silentBeats >= BEATS && wire.hasNothingWaiting()) {
      silentBeats = 0;
      wire.write(framing.heartbeat());
    }
  }

  @Override
  public void close(Disconnect why) {
    EventExecutor loop = wire.out().executor();
    loop.schedule(() -> closeNow(why), FAREWELL_MS, TimeUnit.MILLISECONDS);
    wire.out()
        .writeAndFlush(framing.farewell(why, wire.out().alloc()))
        .addListener(farewell -> closeNow(why));
  }

  /** Vert.x's own time limit begins only when its closing frame has left. */
  private void closeNow(Disconnect why) {
    if (isClosing || !wire.out().channel().isActive()) {
      return;
    }
    isClosing = true;
    if (framing == Framing.SOCKJS) {
      socket.close(NORMAL);
    } else {
      socket.close((short) why.code(), why.reason());
    }
    wire.out().executor().schedule(this::cutOff, CLOSING_MS, TimeUnit.MILLISECONDS);
  }

  /** Ends the connection without another word. */
  void cutOff() {
    wire.out().channel().close();
  }
}
