package io.galop.socket;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;

/**
 * Lets nobody on the event bus who has no certificate of the cluster's authority, says to who has
 * one that it is let in, and leaves.
 */
public final class TlsGate extends ChannelInboundHandlerAdapter {
  /**
   * With TLS 1.3 a caller's handshake succeeds before its certificate is judged, so this byte tells
   * that it was accepted.
   */
  static final byte LET_IN = 1;

  private final ClusterTls tls;
  private final RefusalLog refusals;
  private final ChannelHandler next;

  /**
   * For one connection.
   *
   * @param refusals of all connections to this event bus
   * @param next stands behind the gate
   */
  public TlsGate(ClusterTls tls, RefusalLog refusals, ChannelHandler next) {
    this.tls = tls;
    this.refusals = refusals;
    this.next = next;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    context.pipeline().addBefore(context.name(), null, tls.server(context.alloc()));
    context.pipeline().addAfter(context.name(), null, next);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        context.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {LET_IN}));
        context.pipeline().remove(this);
      } else {
        String said = said(handshake.cause());
        String why = TlsKnock.reason(handshake.cause());
        SocketAddress caller = context.channel().remoteAddress();
        refusals.refused(
            said,
            RefusalLog.host(caller),
            () -> "bus: closed %s: %s (cluster.tls): %s".formatted(caller, said, why),
            RefusalLog.on(context.executor()));
        context.close();
      }
      return;
    }
    context.fireUserEventTriggered(event);
  }

  /** An alert tells what the other side does not like of this one. */
  private static String said(Throwable cause) {
    if (cause instanceof NotSslRecordException) {
      return "it does not speak TLS";
    }
    String why = TlsKnock.reason(cause);
    if (!why.contains("Received fatal alert")) {
      return "it has shown no certificate of this cluster";
    }
    return why.contains("certificate") || why.contains("unknown_ca")
        ? "it does not accept the certificate of this node"
        : "it has ended the handshake";
  }

  /** What TLS throws comes as an event too, and is told there. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
