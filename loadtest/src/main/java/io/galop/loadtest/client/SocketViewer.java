package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** A viewer over a websocket (RFC 6455) that costs next to nothing. */
final class SocketViewer extends SimulatedViewer {
  private static final String UPGRADE =
      "Upgrade: websocket\r\n"
          + "Connection: Upgrade\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
          + "Sec-WebSocket-Version: 13\r\n\r\n";
  private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final RecvByteBufAllocator READS = new FixedRecvByteBufAllocator(16 * 1024);
  private static final int SHORT = 126;
  private static final int IN_8_BYTES = 127;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 0x8a;
  private static final int TEXT = 0x81;
  private static final int MASKED = 0x80;

  @SuppressWarnings("NullAway.Init") // channelActive sets it, which comes first
  private ChannelHandlerContext context;

  private final Rest rest = new Rest();
  private boolean isUpgraded;

  SocketViewer(Seat seat) {
    super(seat);
  }

  @Override
  ChannelHandler handler() {
    return new Handler();
  }

  private void upgrade() {
    String path = audience().transport().receivesAt(audience().base(), session());
    String head = ViewerWords.request("GET", path, dialer().host(number()), null);
    String request = head.substring(0, head.length() - 2) + UPGRADE;
    context.writeAndFlush(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
  }

  private void skipHead(ByteBuf in) {
    int end = ByteBufUtil.indexOf(Unpooled.wrappedBuffer(END_OF_HEAD), in);
    if (end < 0) {
      return;
    }
    String status = in.toString(in.readerIndex() + 9, 3, StandardCharsets.US_ASCII);
    in.readerIndex(end + END_OF_HEAD.length);
    isUpgraded = status.equals("101");
    if (!isUpgraded) {
      onBroken("status " + status);
      context.close();
    } else if (audience().transport() == ViewerTransport.RAW_WEBSOCKET) {
      register();
    }
  }

  @Override
  void register() {
    if (isRegistered()) {
      return;
    }
    if (audience().transport() == ViewerTransport.RAW_WEBSOCKET) {
      ViewerWords.registerPlain(audience().filters()).forEach(this::say);
    } else if (!audience().filters().isEmpty()) {
      say(ViewerWords.registerInArray(audience().filters()));
    }
    if (isStalled()) {
      context.channel().config().setAutoRead(false);
    }
    onRegistered();
  }

  private void say(String text) {
    byte[] payload = text.getBytes(StandardCharsets.US_ASCII);
    // Masked with zeros, which changes nothing.
    ByteBuf frame = Unpooled.buffer(payload.length + 8).writeByte(TEXT);
    if (payload.length < SHORT) {
      frame.writeByte(MASKED | payload.length);
    } else {
      frame.writeByte(MASKED | SHORT).writeShort(payload.length);
    }
    context.writeAndFlush(frame.writeInt(0).writeBytes(payload));
  }

  /** Reads a frame if it is there completely. */
  private boolean readFrame(ByteBuf in) {
    int start = in.readerIndex();
    if (in.readableBytes() < 2) {
      return false;
    }
    int length = in.getByte(start + 1);
    int header = length == SHORT ? 4 : length == IN_8_BYTES ? 10 : 2;
    if (in.readableBytes() < header) {
      return false;
    }
    if (header > 2) {
      length = header == 4 ? in.getUnsignedShort(start + 2) : (int) in.getLong(start + 2);
    }
    if (in.readableBytes() < header + length) {
      return false;
    }
    onFrame(in.getByte(start) & 0xf, in, start + header, length);
    in.readerIndex(start + header + length);
    return true;
  }

  private void onFrame(int type, ByteBuf in, int start, int length) {
    if (type == PING) {
      context.writeAndFlush(Unpooled.buffer(6).writeByte(PONG).writeByte(MASKED).writeInt(0));
    } else if (type == CLOSE) {
      onBroken("websocket closed by the server");
      context.close();
    } else if (length > 0) {
      onText(in, start, length);
    }
  }

  private void onText(ByteBuf in, int start, int length) {
    switch (audience().transport()) {
      case RAW_WEBSOCKET -> frames().onMessages(in, start, length);
      case SOCKET_IO -> onEngineIo(in, start, length);
      default -> onSockJs(in, start, length);
    }
  }

  /** Opened is answered by joining the namespace, a ping by a pong; events are messages. */
  private void onEngineIo(ByteBuf in, int start, int length) {
    switch (in.getByte(start)) {
      case '0' -> say("40");
      case '2' -> say("3");
      case '4' -> {
        if (length > 1 && in.getByte(start + 1) == '2') {
          frames().onMessages(in, start, length);
        } else {
          register();
        }
      }
      default -> {}
    }
  }

  /** One connection's bytes. */
  private final class Handler extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext opened) {
      context = opened;
      connected(opened.channel());
      opened.channel().config().setRecvByteBufAllocator(READS);
      upgrade();
    }

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
      onBroken("connection ended");
      rest.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable failure) {
      onBroken(failure.toString());
      failed.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
      ByteBuf in = rest.with((ByteBuf) message);
      figures().onRead();
      if (!isUpgraded) {
        skipHead(in);
      }
      boolean goesOn = isUpgraded;
      while (goesOn) {
        goesOn = readFrame(in);
      }
      if (in.isReadable()) {
        rest.keep(in, from.alloc());
      }
      in.release();
    }
  }
}
