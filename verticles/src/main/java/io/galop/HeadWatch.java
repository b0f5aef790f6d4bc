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
 * different ways by servers that stand one behind the other (RFC 9112, 5.2). Of what is read at
 * once it looks at the first head only. It leaves when the connection becomes a websocket.
 */
final class HeadWatch extends ChannelInboundHandlerAdapter {
  private static final byte[] FOLDED =
      ("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n"
              + "Content-Length: 75\r\n\r\n"
              + "{\"error\":\"a header goes on in the next line; send each header in one line\"}")
          .getBytes(StandardCharsets.US_ASCII);

  private final Runnable onHeadBegins;
  private final Runnable onHeadEnds;

  /** The last one whose head was whole; null before the first, and from the next head on. */
  private @Nullable HttpServerRequest current;

  /** Whether a head was whole whose request waits behind an answer: what comes may be its body. */
  private boolean isAwaited;

  /** Whether a head has begun and is not whole. */
  private boolean isInHead;

  /** Whether a byte of its first line has come. */
  private boolean hasBegun;

  /** How many bytes of its last line have come, and the last of all. */
  private int lineBytes;

  private byte last;

  /** Whether the connection is refused: nothing more of it is anybody's. */
  private boolean isRefused;

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
    if (isRefused) {
      ReferenceCountUtil.release(message);
    } else if (message instanceof ByteBuf bytes && isFolded(bytes)) {
      isRefused = true;
      ReferenceCountUtil.release(message);
      context
          .writeAndFlush(Unpooled.wrappedBuffer(FOLDED))
          .addListener(ChannelFutureListener.CLOSE);
    } else {
      context.fireChannelRead(message);
    }
  }

  private boolean isFolded(ByteBuf bytes) {
    if (!isInHead && !isAwaited && (current == null || current.isEnded())) {
      isInHead = true;
      current = null;
      hasBegun = false;
      lineBytes = 0;
      onHeadBegins.run();
    }
    for (int i = bytes.readerIndex(); isInHead && i < bytes.writerIndex(); i++) {
      if (isFolded(bytes.getByte(i))) {
        return true;
      }
    }
    return false;
  }

  /** Takes the next byte of a head. A line ends as it does for Netty's decoder. */
  private boolean isFolded(byte next) {
    if (!hasBegun && isSkipped(next)) {
      return false;
    }
    hasBegun = true;
    if (next != '\n') {
      boolean isFold = lineBytes == 0 && (next == ' ' || next == '\t');
      lineBytes++;
      last = next;
      return isFold;
    }
    if (lineBytes == 0 || lineBytes == 1 && last == '\r') {
      isInHead = false;
      isAwaited = true;
      onHeadEnds.run();
    }
    lineBytes = 0;
    return false;
  }

  /** Before a head, as Netty's decoder has it: empty lines alone are none. */
  private static boolean isSkipped(byte next) {
    return Character.isISOControl((int) next) || Character.isWhitespace((int) next);
  }
}
