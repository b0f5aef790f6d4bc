package io.galop.socket;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets nobody on the event bus who has no certificate of the cluster's authority, says to who has
 * one that it is let in, and leaves.
 */
public final class TlsGate extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(TlsGate.class);

  /**
   * With TLS 1.3 a caller's handshake succeeds before its certificate is judged, so this byte tells
   * that it was accepted.
   */
  static final byte LET_IN = 1;

  private final ClusterTls tls;
  private final ChannelHandler next;

  /**
   * For one connection.
   *
   * @param next stands behind the gate
   */
  public TlsGate(ClusterTls tls, ChannelHandler next) {
    this.tls = tls;
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
        LOG.warn(
            "bus: closed {}: it has shown no certificate of this cluster (cluster.tls): {}",
            context.channel().remoteAddress(),
            TlsKnock.reason(handshake.cause()));
        context.close();
      }
      return;
    }
    context.fireUserEventTriggered(event);
  }

  /** What TLS throws comes as an event too, and is told there. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
