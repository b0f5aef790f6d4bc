package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;
import java.util.function.Predicate;

/**
 * The other side of {@link TlsGate}: a connection to an event bus counts as made when both sides
 * have accepted each other's certificates: after its own handshake it waits for the gate's word.
 */
final class TlsKnock extends Knock {
  private static final int LONGEST_REASON = 200;

  private final ClusterTls tls;

  TlsKnock(ClusterTls tls, Predicate<SocketAddress> isBus) {
    super(isBus);
    this.tls = tls;
  }

  @Override
  void begin(ChannelHandlerContext context) {
    context.pipeline().addBefore(context.name(), null, tls.client(context.alloc()));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!isKnocking() || !(event instanceof SslHandshakeCompletionEvent handshake)) {
      context.fireUserEventTriggered(event);
    } else if (handshake.isSuccess()) {
      failLater(context, refused("it has not said within " + PATIENCE_MS + " ms"));
    } else {
      fail(context, refused(reason(handshake.cause())));
    }
  }

  /** The first byte is the gate's; what follows is for whoever the connection is made for. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!isKnocking() || !(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    if (!bytes.isReadable()) {
      bytes.release();
      return;
    }
    byte word = bytes.readByte();
    if (word != TlsGate.LET_IN) {
      bytes.release();
      fail(context, refused("it begins with another byte, " + word));
      return;
    }
    letIn(context, bytes);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(context, refused("it has closed the connection"));
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (isKnocking()) {
      fail(context, refused(reason(cause)));
    } else {
      context.fireExceptionCaught(cause);
    }
  }

  private static String refused(String why) {
    return "and this one do not accept each other's certificates (cluster.tls): " + why;
  }

  /** Without what a stranger may have put into a message. */
  static String reason(Throwable cause) {
    String text = String.valueOf(cause.getMessage()).replaceAll("\\p{Cntrl}", "?");
    return text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "…" : text;
  }
}
