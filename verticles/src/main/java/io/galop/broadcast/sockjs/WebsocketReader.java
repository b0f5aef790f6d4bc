package io.galop.broadcast.sockjs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a browser says on its websocket, after the handshake. It takes the place of Vert.x's own
 * handler, whose connection, request and response would stay in memory for as long as the websocket
 * does: some 11 KB for each, most of it queues that are never used.
 */
final class WebsocketReader extends SimpleChannelInboundHandler<WebSocketFrame> {
  private final ContextInternal context;
  private final WebsocketTransport transport;
  private final int maxBytes;
  private Connection connection;

  /** The parts of a message so far; null between two. */
  private ByteArrayOutputStream begun;

  private boolean isText;
  private boolean isEnded;

  /**
   * @param context of the connections of this event loop
   * @param maxBytes of a message, over all of its frames
   */
  WebsocketReader(ContextInternal context, WebsocketTransport transport, int maxBytes) {
    super(WebSocketFrame.class);
    this.context = context;
    this.transport = transport;
    this.maxBytes = maxBytes;
  }

  /** Who hears the messages; before the first of them. */
  void connection(Connection listener) {
    connection = listener;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext channel, WebSocketFrame frame) {
    context.emit(frame, this::read);
  }

  private void read(WebSocketFrame frame) {
    if (frame instanceof PingWebSocketFrame) {
      transport.onPing(frame.content());
    } else if (frame instanceof CloseWebSocketFrame close) {
      transport.onClosing(close.statusCode());
    } else if (!transport.isClosing()) {
      readPart(frame);
    }
  }

  private void readPart(WebSocketFrame frame) {
    boolean isFirst = !(frame instanceof ContinuationWebSocketFrame);
    if (isFirst
        && !(frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame)) {
      return;
    }
    if (isFirst) {
      isText = frame instanceof TextWebSocketFrame;
      begun = null;
    }
    int before = begun == null ? 0 : begun.size();
    if (before + frame.content().readableBytes() > maxBytes) {
      begun = null;
      connection.onMessageTooLarge();
    } else {
      take(frame.content(), frame.isFinalFragment());
    }
  }

  /** What there is so far is not copied for each part: of those a browser may send very many. */
  private void take(ByteBuf part, boolean isLast) {
    byte[] read = ByteBufUtil.getBytes(part);
    if (isLast && begun == null) {
      hand(read);
      return;
    }
    ByteArrayOutputStream all = begun == null ? new ByteArrayOutputStream() : begun;
    all.writeBytes(read);
    begun = isLast ? null : all;
    if (isLast) {
      hand(all.toByteArray());
    }
  }

  private void hand(byte[] message) {
    if (transport.framing() == Framing.RAW) {
      connection.onMessage(Buffer.buffer(message));
    } else if (isText && message.length > 0) {
      SockMessages.of(new String(message, StandardCharsets.UTF_8))
          .ifPresentOrElse(all -> all.forEach(connection::onMessage), transport::cutOff);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    end();
  }

  /** The connection is no more; told once, whoever notices it first. */
  void end() {
    if (!isEnded) {
      isEnded = true;
      context.emit(connection, Connection::onClosed);
    }
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
