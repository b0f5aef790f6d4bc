package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Hands a decoder what was read in small parts, and none while nobody reads on. A decoder makes all
 * that it is handed into messages at once, some twenty times as large as a request of a few bytes:
 * a client that asks and asks, and reads no answer, would have one whole read of them in the heap.
 * What is not handed on yet stays as bytes, at most one read of the socket. On the event loop of
 * the connection.
 */
public final class SmallReads extends ChannelDuplexHandler {
  /** Some 200 of the shortest requests. Smaller parts cost large bodies more than they save. */
  static final int PART_BYTES = 4096;

  /** What was read and is not handed on, in its order. */
  private final Deque<ByteBuf> rest = new ArrayDeque<>(1);

  /** Whether a part is with the handlers behind. */
  private boolean isHanding;

  /** Whether those behind have asked for one read, as they do where they do not read on. */
  private boolean isAsked;

  private boolean isLeaving;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
    } else if (rest.isEmpty() && !isHanding && bytes.readableBytes() <= PART_BYTES) {
      context.fireChannelRead(bytes);
    } else {
      rest.add(bytes);
      handOn(context);
    }
  }

  /** Whoever reads on is given the rest before more is read. */
  @Override
  public void read(ChannelHandlerContext context) {
    isAsked = true;
    handOn(context);
  }

  /**
   * Hands parts on as long as they are wanted. The end of each is told as that of a read, since
   * only then those behind say whether they read on.
   */
  private void handOn(ChannelHandlerContext context) {
    if (isHanding) {
      return;
    }
    isHanding = true;
    while (!rest.isEmpty() && !isLeaving && isWanted(context)) {
      isAsked = false;
      context.fireChannelRead(part());
      context.fireChannelReadComplete();
    }
    isHanding = false;
    if (isLeaving) {
      handAll(context);
    } else if (rest.isEmpty() && isWanted(context)) {
      isAsked = false;
      context.read();
    }
  }

  private boolean isWanted(ChannelHandlerContext context) {
    return isAsked || context.channel().config().isAutoRead();
  }

  private ByteBuf part() {
    ByteBuf first = rest.element();
    return first.readableBytes() <= PART_BYTES
        ? rest.remove()
        : first.readRetainedSlice(PART_BYTES);
  }

  /** The connection becomes another's, such as a websocket. Not within a part: the order counts. */
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    isLeaving = true;
    if (!isHanding) {
      handAll(context);
    }
  }

  private void handAll(ChannelHandlerContext context) {
    while (!rest.isEmpty()) {
      context.fireChannelRead(rest.remove());
      if (rest.isEmpty()) {
        context.fireChannelReadComplete();
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    rest.forEach(ReferenceCountUtil::release);
    rest.clear();
    context.fireChannelInactive();
  }
}
