package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes a connection that does not begin with the byte that its protocol begins with, before any
 * reader of it takes offence. It leaves with the first byte.
 */
public final class FirstByte extends ChannelInboundHandlerAdapter {
  private final int expected;

  /** For one connection. */
  public FirstByte(int expected) {
    this.expected = expected;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes && bytes.isReadable()) {
      if (bytes.getUnsignedByte(bytes.readerIndex()) != expected) {
        ReferenceCountUtil.release(message);
        context.close();
        return;
      }
      context.pipeline().remove(this);
    }
    context.fireChannelRead(message);
  }
}
