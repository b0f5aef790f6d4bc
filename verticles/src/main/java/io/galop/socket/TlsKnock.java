package io.galop.socket;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The other side of {@link TlsGate}: a connection to an event bus counts as made when both sides
 * have shown their certificates. Of other connections it leaves at once.
 */
final class TlsKnock extends ChannelDuplexHandler {
  private static final int LONGEST_REASON = 200;

  private final ClusterTls tls;
  private final Predicate<SocketAddress> isBus;
  private @Nullable ChannelPromise connected;

  TlsKnock(ClusterTls tls, Predicate<SocketAddress> isBus) {
    this.tls = tls;
    this.isBus = isBus;
  }

  @Override
  public void connect(
      ChannelHandlerContext context,
      SocketAddress remote,
      SocketAddress local,
      ChannelPromise promise) {
    if (!isBus.test(remote)) {
      context.connect(remote, local, promise);
      context.pipeline().remove(this);
      return;
    }
    connected = promise;
    context.pipeline().addBefore(context.name(), null, tls.client(context.alloc()));
    ChannelPromise opened = context.newPromise();
    opened.addListener(
        done -> {
          if (!done.isSuccess()) {
            promise.tryFailure(done.cause());
          }
        });
    context.connect(remote, local, opened);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    ChannelPromise made = connected;
    if (made != null && event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        made.trySuccess();
        context.pipeline().remove(this);
      } else {
        fail(context, made, handshake.cause());
      }
      return;
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    ChannelPromise made = connected;
    if (made == null) {
      context.fireExceptionCaught(cause);
    } else {
      fail(context, made, cause);
    }
  }

  private static void fail(ChannelHandlerContext context, ChannelPromise made, Throwable cause) {
    String node = "the node at " + context.channel().remoteAddress();
    made.tryFailure(
        new IOException(
            node
                + " and this one do not accept each other's certificates (cluster.tls): "
                + reason(cause)));
    context.close();
  }

  /** Without what a stranger may have put into a message. */
  static String reason(Throwable cause) {
    String text = String.valueOf(cause.getMessage()).replaceAll("\\p{Cntrl}", "?");
    return text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "…" : text;
  }
}
