package io.galop.broadcast.mqtt;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Takes the bytes of MQTT out of a websocket's binary frames, and puts them in: what is written at
 * once is one frame. A packet may come in several frames, and several packets in one (MQTT 5, 6.0).
 * It takes the place of Vert.x's handler. On the event loop of its connection.
 */
final class WebsocketPackets extends ChannelDuplexHandler {
  /**
   * How long the close frame may take to leave. One who reads nothing must not keep the connection:
   * his seat and his session are given back when it ends.
   */
  private static final long FAREWELL_MS = 1_000;

  /** The close frame was written, or the client's was answered: nothing is read any more. */
  private boolean isEnded;

  @Override
  public void channelRead(ChannelHandlerContext channel, Object frame) {
    if (!isEnded
        && (frame instanceof BinaryWebSocketFrame || frame instanceof ContinuationWebSocketFrame)) {
      channel.fireChannelRead(((WebSocketFrame) frame).content());
      return;
    }
    try {
      if (!isEnded) {
        onOther(channel, frame);
      }
    } finally {
      ReferenceCountUtil.release(frame);
    }
  }

  private void onOther(ChannelHandlerContext channel, Object frame) {
    if (frame instanceof PingWebSocketFrame ping) {
      // A client that does not read gets no answers: they would pile up.
      if (channel.channel().isWritable()) {
        channel.writeAndFlush(new PongWebSocketFrame(ping.content().retain()));
      }
    } else if (frame instanceof CloseWebSocketFrame) {
      end(channel, WebSocketCloseStatus.NORMAL_CLOSURE, channel.newPromise());
    } else if (!(frame instanceof PongWebSocketFrame)) {
      end(channel, WebSocketCloseStatus.INVALID_MESSAGE_TYPE, channel.newPromise());
    }
  }

  /** Empty buffers only tell when what is before them has left: they make no frame. */
  @Override
  public void write(ChannelHandlerContext channel, Object message, ChannelPromise written) {
    if (message instanceof ByteBuf bytes && bytes.isReadable()) {
      channel.write(new BinaryWebSocketFrame(bytes), written);
    } else {
      channel.write(message, written);
    }
  }

  @Override
  public void close(ChannelHandlerContext channel, ChannelPromise closed) {
    end(channel, WebSocketCloseStatus.NORMAL_CLOSURE, closed);
  }

  private void end(
      ChannelHandlerContext channel, WebSocketCloseStatus status, ChannelPromise closed) {
    if (isEnded || !channel.channel().isWritable()) {
      isEnded = true;
      channel.close(closed);
      return;
    }
    isEnded = true;
    channel
        .writeAndFlush(new CloseWebSocketFrame(status))
        .addListener((ChannelFutureListener) said -> channel.close(closed));
    channel.executor().schedule(() -> channel.close(), FAREWELL_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable broken) {
    channel.close();
  }

  /** Silence for too long, or the end of the listener: both end the connection. */
  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    channel.close();
  }
}
