package io.galop.broadcast;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.vertx.core.http.ServerWebSocket;
import java.util.concurrent.TimeUnit;

/**
 * Writes bytes that all Subscribers share straight to the connection. Vert.x's own way copies,
 * wraps and queues each message for each connection. What has not left is known from the channel: a
 * write that leaves at once, as nearly all do, costs no promise.
 */
final class WebsocketTransport implements Transport {
  /** How long the last message may take before the websocket is closed all the same. */
  private static final long FAREWELL_MS = 2_000;

  /** How long the websocket's closing may then take before the connection is cut off. */
  private static final long CLOSING_MS = 10_000;

  private static final short NORMAL = 1000;

  private final ServerWebSocket socket;
  private final ChannelHandlerContext out;
  private final Framing framing;
  private int silentBeats;
  private boolean isClosing;

  /**
   * @param out on whose way to the network no frames are made any more
   */
  WebsocketTransport(ServerWebSocket socket, ChannelHandlerContext out, Framing framing) {
    this.socket = socket;
    this.out = out;
    this.framing = framing;
  }

  /** Says what the protocol begins with. */
  void open() {
    write(framing.opening());
  }

  private void write(ByteBuf bytes) {
    silentBeats = 0;
    out.writeAndFlush(bytes, out.voidPromise());
  }

  @Override
  public boolean write(Bundle bundle, Receipt receipt) {
    if (!out.channel().isActive()) {
      receipt.onLeft(bundle.size(), bundle.records(), false);
      return false;
    }
    ByteBuf bytes = bundle.encoded(framing, out.alloc()).retainedDuplicate();
    if (hasLeft(out.channel())) {
      write(bytes);
      if (hasLeft(out.channel())) {
        return true;
      }
      bytes = Unpooled.EMPTY_BUFFER;
    }
    silentBeats = 0;
    out.writeAndFlush(bytes, receiptOf(bundle, receipt));
    return false;
  }

  /** Whether nothing waits in this process; a closed channel has no buffer. */
  private static boolean hasLeft(Channel channel) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return waiting != null && waiting.totalPendingWriteBytes() == 0;
  }

  /** Bytes leave in their order: what this promise is given to leaves after the bundle's. */
  private ChannelPromise receiptOf(Bundle bundle, Receipt receipt) {
    int size = bundle.size();
    int records = bundle.records();
    ChannelPromise promise = out.newPromise();
    promise.addListener(done -> receipt.onLeft(size, records, done.isSuccess()));
    return promise;
  }

  @Override
  public void onBeat() {
    silentBeats++;
    if (silentBeats >= BEATS && hasLeft(out.channel())) {
      write(framing.heartbeat());
    }
  }

  @Override
  public void close(Disconnect why) {
    out.executor().schedule(() -> closeNow(why), FAREWELL_MS, TimeUnit.MILLISECONDS);
    out.writeAndFlush(framing.farewell(why, out.alloc())).addListener(farewell -> closeNow(why));
  }

  /** Vert.x's own time limit begins only when its closing frame has left. */
  private void closeNow(Disconnect why) {
    if (isClosing || !out.channel().isActive()) {
      return;
    }
    isClosing = true;
    if (framing == Framing.SOCKJS) {
      socket.close(NORMAL);
    } else {
      socket.close((short) why.code(), why.reason());
    }
    out.executor().schedule(this::cutOff, CLOSING_MS, TimeUnit.MILLISECONDS);
  }

  /** Ends the connection without another word. */
  void cutOff() {
    out.channel().close();
  }
}
