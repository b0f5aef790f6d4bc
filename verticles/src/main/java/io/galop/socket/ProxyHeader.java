package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Lets the header of the PROXY protocol, which comes in clear text, pass to whoever reads it, and
 * gives its place to what is for the rest. It finds only where the header ends: version 1 is a line
 * of at most 107 bytes, version 2 has its length in bytes 14 and 15. What is neither passes, and is
 * refused behind.
 */
final class ProxyHeader extends ByteToMessageDecoder {
  private static final int LONGEST_LINE_BYTES = 107;
  private static final int FIXED_BYTES = 16;
  private static final int LENGTH_AT = 14;
  private static final int NOT_YET = -1;
  private static final byte FIRST_OF_1 = 'P';
  private static final byte FIRST_OF_2 = '\r';

  private final ChannelHandler rest;

  ProxyHeader(ChannelHandler rest) {
    this.rest = rest;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int end = end(in);
    if (end == NOT_YET) {
      return;
    }
    context.fireChannelRead(in.readRetainedSlice(end));
    context.pipeline().addAfter(context.name(), null, rest);
    context.pipeline().remove(this);
  }

  /** How many bytes the header has. */
  private static int end(ByteBuf in) {
    int at = in.readerIndex();
    int there = in.readableBytes();
    if (in.getByte(at) == FIRST_OF_1) {
      int line = in.indexOf(at, at + Math.min(there, LONGEST_LINE_BYTES), (byte) '\n');
      return line >= 0 ? line + 1 - at : there < LONGEST_LINE_BYTES ? NOT_YET : there;
    }
    if (in.getByte(at) != FIRST_OF_2) {
      return there;
    }
    if (there < FIXED_BYTES) {
      return NOT_YET;
    }
    int whole = FIXED_BYTES + in.getUnsignedShort(at + LENGTH_AT);
    return there < whole ? NOT_YET : whole;
  }
}
