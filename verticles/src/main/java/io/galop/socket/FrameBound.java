package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.net.SocketAddress;

/**
 * Closes a connection whose frame, four bytes of length and so many bytes, is larger than allowed,
 * before anybody makes room for it. The readers behind it have no bound of their own: they would
 * take 2 GiB from whoever says so.
 */
public final class FrameBound extends ChannelInboundHandlerAdapter {
  private static final int LENGTH_BYTES = 4;

  private final String listener;
  private final String key;
  private final int maxBytes;
  private final RefusalLog refusals;
  private int lengthBytes;
  private int length;
  private int left;

  /**
   * For one connection.
   *
   * @param listener its listener's name
   * @param key what sets the bound
   * @param refusals of all connections to this listener
   */
  public FrameBound(String listener, String key, int maxBytes, RefusalLog refusals) {
    this.listener = listener;
    this.key = key;
    this.maxBytes = maxBytes;
    this.refusals = refusals;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes && !isWithin(bytes)) {
      ReferenceCountUtil.release(message);
      refuse(context);
      context.close();
      return;
    }
    context.fireChannelRead(message);
  }

  private void refuse(ChannelHandlerContext context) {
    SocketAddress sender = context.channel().remoteAddress();
    refusals.refused(
        "a frame is invalid or larger than %d bytes (%s)".formatted(maxBytes, key),
        RefusalLog.host(sender),
        () ->
            "%s: closed %s: a frame of %d bytes is invalid or larger than %d (%s)"
                .formatted(listener, sender, length, maxBytes, key),
        RefusalLog.on(context.executor()));
  }

  private boolean isWithin(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (left > 0) {
        int skipped = Math.min(left, bytes.writerIndex() - at);
        left -= skipped;
        at += skipped;
      } else {
        length = length << Byte.SIZE | bytes.getUnsignedByte(at++);
        if (++lengthBytes == LENGTH_BYTES) {
          if (length <= 0 || length > maxBytes) {
            return false;
          }
          left = length;
          length = 0;
          lengthBytes = 0;
        }
      }
    }
    return true;
  }
}
