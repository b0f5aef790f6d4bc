package io.galop.broadcast.sockjs;

import io.galop.broadcast.deflate.MessageInflater;
import io.galop.vertx.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a browser says on its websocket, after the handshake. It takes the place of Vert.x's own
 * handler, whose connection, request and response would stay in memory for as long as the websocket
 * does: some 11 KB for each, most of it queues that are never used. It takes the place of Netty's
 * decoder too, which keeps a frame back until it is whole and so hears of a broken one too late.
 */
final class WebsocketReader extends SimpleChannelInboundHandler<ByteBuf>
    implements FrameReader.Listener {
  private final Loop context;
  private final WebsocketTransport transport;
  private final FrameReader frames;
  private Connection connection = Connection.NOBODY;
  private boolean isEnded;

  /**
   * @param context of the connections of this event loop
   * @param maxBytes of a message, over all of its frames
   * @param inflater null where the browser has not negotiated compression
   */
  WebsocketReader(
      Loop context,
      WebsocketTransport transport,
      int maxBytes,
      @Nullable MessageInflater inflater) {
    super(ByteBuf.class);
    this.context = context;
    this.transport = transport;
    this.frames = new FrameReader(this, maxBytes, inflater);
  }

  /** Who hears the messages; before the first of them. */
  void connection(Connection listener) {
    connection = listener;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext channel, ByteBuf bytes) {
    while (bytes.isReadable() && !isEnded) {
      frames.read(bytes);
    }
  }

  @Override
  public void onText(byte[] message) {
    if (!transport.isClosing()) {
      context.emit(message, this::handText);
    }
  }

  private void handText(byte[] message) {
    if (transport.framing() == Framing.RAW) {
      connection.onMessage(Buffer.buffer(message));
    } else if (message.length > 0) {
      SockMessages.of(new String(message, StandardCharsets.UTF_8))
          .ifPresentOrElse(all -> all.forEach(connection::onMessage), transport::cutOff);
    }
  }

  @Override
  public boolean hearsBinary() {
    return transport.framing() == Framing.RAW && connection.hearsBinary();
  }

  @Override
  public void onBinary(byte[] message) {
    if (!transport.isClosing()) {
      context.emit(Buffer.buffer(message), connection::onBinary);
    }
  }

  @Override
  public void onTooLarge() {
    if (!transport.isClosing()) {
      context.emit(connection, Connection::onMessageTooLarge);
    }
  }

  @Override
  public void onPing(byte[] payload) {
    transport.onPing(payload);
  }

  @Override
  public void onClose(int code) {
    transport.onClosing(code);
  }

  @Override
  public void onViolation(int code, String reason) {
    transport.fail(code, reason);
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
