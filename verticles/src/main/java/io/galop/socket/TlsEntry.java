package io.galop.socket;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.List;

/** Puts TLS in front of a connection, says who comes to none, and leaves. */
final class TlsEntry extends ChannelInboundHandlerAdapter {
  private final ListenerTls tls;
  private final List<ChannelHandler> next;

  /**
   * For one connection.
   *
   * @param next stand behind it, the first next to it
   */
  TlsEntry(ListenerTls tls, List<ChannelHandler> next) {
    this.tls = tls;
    this.next = next;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    context.pipeline().addBefore(context.name(), null, tls.handler(context.alloc()));
    context.pipeline().addBefore(context.name(), null, new FileBytes());
    for (int i = next.size() - 1; i >= 0; i--) {
      context.pipeline().addAfter(context.name(), null, next.get(i));
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        context.pipeline().remove(this);
      } else {
        tls.refuse(
            context.channel().remoteAddress(),
            handshake.cause(),
            RefusalLog.on(context.executor()));
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
