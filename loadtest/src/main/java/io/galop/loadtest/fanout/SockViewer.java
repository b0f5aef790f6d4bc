package io.galop.loadtest.fanout;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/** A SockJS client over websocket that costs next to nothing. Belongs to one event loop. */
final class SockViewer extends ChannelInboundHandlerAdapter {
  private static final byte[] REGISTER =
      "[\"{\\\"type\\\":\\\"register\\\",\\\"address\\\":\\\"load/#\\\"}\"]"
          .getBytes(StandardCharsets.US_ASCII);
  private static final String UPGRADE =
      "GET /live/0/%s/websocket HTTP/1.1\r\n"
          + "Host: 127.0.0.1\r\n"
          + "Upgrade: websocket\r\n"
          + "Connection: Upgrade\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
          + "Sec-WebSocket-Version: 13\r\n\r\n";
  private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final RecvByteBufAllocator READS = new FixedRecvByteBufAllocator(16 * 1024);
  private static final int FINAL_TEXT = 0x81;
  private static final int MASKED = 0x80;
  private static final int IN_2_BYTES = 126;
  private static final int IN_8_BYTES = 127;

  private final LoopFigures figures;
  private final BitSet seen = new BitSet();
  private ByteBuf rest;
  private boolean isUpgraded;
  private boolean isRegistered;
  private boolean isWarm;
  private boolean isLost;
  private long now;

  SockViewer(LoopFigures figures) {
    this.figures = figures;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.channel().config().setRecvByteBufAllocator(READS);
    String upgrade = UPGRADE.formatted(context.channel().id().asShortText());
    context.writeAndFlush(Unpooled.copiedBuffer(upgrade, StandardCharsets.US_ASCII));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    isLost = true;
    if (rest != null) {
      rest.release();
      rest = null;
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    context.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (rest != null) {
      in = rest.writeBytes(in);
      ((ByteBuf) message).release();
      rest = null;
    }
    now = System.nanoTime();
    if (!isUpgraded) {
      skipHead(in);
    }
    while (isUpgraded && readFrame(context, in)) {
      figures.onFrame();
    }
    if (in.isReadable()) {
      rest = context.alloc().buffer(2 * in.readableBytes()).writeBytes(in);
    }
    in.release();
  }

  private void skipHead(ByteBuf in) {
    int end = io.netty.buffer.ByteBufUtil.indexOf(Unpooled.wrappedBuffer(END_OF_HEAD), in);
    if (end >= 0) {
      isUpgraded = in.toString(in.readerIndex(), 12, StandardCharsets.US_ASCII).endsWith("101");
      in.readerIndex(end + END_OF_HEAD.length);
    }
  }

  /** Reads a frame if it is there completely. */
  private boolean readFrame(ChannelHandlerContext context, ByteBuf in) {
    int start = in.readerIndex();
    if (in.readableBytes() < 2) {
      return false;
    }
    int length = in.getByte(start + 1);
    int header = length == IN_2_BYTES ? 4 : length == IN_8_BYTES ? 10 : 2;
    if (in.readableBytes() < header) {
      return false;
    }
    if (header > 2) {
      length = header == 4 ? in.getUnsignedShort(start + 2) : (int) in.getLong(start + 2);
    }
    if (in.readableBytes() < header + length) {
      return false;
    }
    onPayload(context, in, start + header, length);
    in.readerIndex(start + header + length);
    return true;
  }

  private void onPayload(ChannelHandlerContext context, ByteBuf in, int start, int length) {
    byte type = length == 0 ? 0 : in.getByte(start);
    if (type == 'a') {
      figures.marks().scan(in, start, start + length, this::onStamp);
    } else if (type == 'o' && !isRegistered) {
      isRegistered = true;
      context.writeAndFlush(masked(REGISTER));
      figures.onRegistered();
    } else if (type == 'c') {
      isLost = true;
    }
  }

  /** With a mask of zeros, which changes nothing. */
  private static ByteBuf masked(byte[] payload) {
    ByteBuf frame = Unpooled.buffer(payload.length + 6);
    frame.writeByte(FINAL_TEXT).writeByte(MASKED | payload.length);
    return frame.writeInt(0).writeBytes(payload);
  }

  private void onStamp(long number, long dueNanos) {
    isWarm = true;
    int index = figures.index(number);
    if (index < 0) {
      return;
    }
    figures.onDelivery(now - dueNanos, seen.get(index));
    seen.set(index);
  }

  boolean isWarm() {
    return isWarm || isLost;
  }

  boolean isLost() {
    return isLost;
  }

  int received() {
    return seen.cardinality();
  }
}
