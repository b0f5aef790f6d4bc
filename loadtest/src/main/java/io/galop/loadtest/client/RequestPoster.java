package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;

/** Posts one request over a connection of its own and hands over the answer's status; 0: none. */
final class RequestPoster extends ChannelInboundHandlerAdapter {
  private static final int STATUS_AT = 9;
  private static final int STATUS_END = 12;

  private final String request;
  private final IntConsumer onStatus;
  private boolean isAnswered;

  RequestPoster(String request, IntConsumer onStatus) {
    this.request = request;
    this.onStatus = onStatus;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.writeAndFlush(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    // The status line is in the first packet: nobody writes an answer of twelve bytes in two.
    if (!isAnswered && in.readableBytes() >= STATUS_END) {
      String status =
          in.toString(
              in.readerIndex() + STATUS_AT, STATUS_END - STATUS_AT, StandardCharsets.US_ASCII);
      answer(Integer.parseInt(status));
    }
    in.release();
    context.close();
  }

  private void answer(int status) {
    isAnswered = true;
    onStatus.accept(status);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!isAnswered) {
      answer(0);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    context.close();
  }
}
