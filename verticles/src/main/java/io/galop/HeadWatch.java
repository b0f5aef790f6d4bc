package io.galop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Sees the bytes of a connection before they are requests: tells when the head of one begins and
 * when it is whole, so that each has a time to end, and refuses folded headers, which are read in
 * different ways by servers that stand one behind the other (RFC 9112, 5.2). It leaves when the
 * connection becomes a websocket.
 */
final class HeadWatch extends ChannelInboundHandlerAdapter {
  private static final byte[] FOLDED =
      ("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n"
              + "Content-Length: 75\r\n\r\n"
              + "{\"error\":\"a header goes on in the next line; send each header in one line\"}")
          .getBytes(StandardCharsets.US_ASCII);

  /** No byte: the head has not begun. */
  private static final int NOTHING = Integer.MIN_VALUE;

  private final Runnable onHeadBegins;
  private final Runnable onHeadEnds;

  /** The last one whose head was whole; null before the first, and from the next head on. */
  private @Nullable HttpServerRequest current;

  /** Whether a head was whole whose request waits behind an answer: what comes may be its body. */
  private boolean isAwaited;

  /** Whether a head has begun and is not whole. */
  private boolean isInHead;

  /** The last byte of a head that is not whole. */
  private int before = NOTHING;

  /**
   * @param onHeadEnds its request may come much later, behind answers that the client has to read
   */
  HeadWatch(Runnable onHeadBegins, Runnable onHeadEnds) {
    this.onHeadBegins = onHeadBegins;
    this.onHeadEnds = onHeadEnds;
  }

  /** The head of a request was whole. */
  void onRequest(HttpServerRequest request) {
    current = request;
    isInHead = false;
    isAwaited = false;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes) {
      if (!isInHead && !isAwaited && (current == null || current.isEnded())) {
        isInHead = true;
        current = null;
        before = NOTHING;
        onHeadBegins.run();
      }
      if (isInHead && isFolded(bytes)) {
        ReferenceCountUtil.release(message);
        context
            .writeAndFlush(Unpooled.wrappedBuffer(FOLDED))
            .addListener(ChannelFutureListener.CLOSE);
        return;
      }
    }
    context.fireChannelRead(message);
  }

  /** Looks as far as the head goes; what follows it in the same read is another's. */
  private boolean isFolded(ByteBuf bytes) {
    int last = before;
    for (int i = bytes.readerIndex(); i < bytes.writerIndex(); i++) {
      byte next = bytes.getByte(i);
      if (last == NOTHING && isSkipped((char) (next & 0xFF))) {
        continue;
      }
      if (last == '\n') {
        if (next == ' ' || next == '\t') {
          return true;
        }
        if (next == '\n' || next == '\r') {
          isInHead = false;
          isAwaited = true;
          onHeadEnds.run();
          return false;
        }
      }
      last = next;
    }
    before = last;
    return false;
  }

  /** Before a head, as Netty's decoder has it: empty lines alone are none. */
  private static boolean isSkipped(char next) {
    return Character.isISOControl(next) || Character.isWhitespace(next);
  }
}
