package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The other side of {@link TlsGate}: a connection to an event bus counts as made when both sides
 * have accepted each other's certificates: after its own handshake it waits for the gate's word. Of
 * other connections it leaves at once.
 */
final class TlsKnock extends ChannelDuplexHandler {
  private static final long PATIENCE_MS = 5_000;
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
        awaitWord(context, made);
      } else {
        fail(context, made, handshake.cause());
      }
      return;
    }
    context.fireUserEventTriggered(event);
  }

  private static void awaitWord(ChannelHandlerContext context, ChannelPromise made) {
    IOException late = new IOException("it has not said within %d ms".formatted(PATIENCE_MS));
    context
        .executor()
        .schedule(() -> fail(context, made, late), PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  /** The first byte is the gate's; what follows is for whoever the connection is made for. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ChannelPromise made = connected;
    if (made == null || !(message instanceof ByteBuf bytes)) {
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
      fail(context, made, new IOException("it begins with another byte, " + word));
      return;
    }
    made.trySuccess();
    context.fireChannelRead(bytes);
    context.pipeline().remove(this);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ChannelPromise made = connected;
    if (made != null) {
      fail(context, made, new IOException("it has closed the connection"));
    }
    context.fireChannelInactive();
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
    if (made.isDone()) {
      return;
    }
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
