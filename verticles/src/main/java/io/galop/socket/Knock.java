package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a connection that this node opens: one to the event bus of another node counts as
 * made when that has let it in. Of other connections it leaves at once.
 */
abstract class Knock extends ChannelDuplexHandler {
  static final long PATIENCE_MS = 5_000;

  private final Predicate<SocketAddress> isBus;
  private @Nullable ChannelPromise connected;

  /**
   * @param isBus whether an address is that of an event bus
   */
  Knock(Predicate<SocketAddress> isBus) {
    this.isBus = isBus;
  }

  /** A connection to an event bus is about to be opened. */
  abstract void begin(ChannelHandlerContext context);

  @Override
  public final void connect(
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
    begin(context);
    ChannelPromise opened = context.newPromise();
    opened.addListener(
        done -> {
          if (!done.isSuccess()) {
            promise.tryFailure(done.cause());
          }
        });
    context.connect(remote, local, opened);
  }

  /** Whether the connection is to an event bus. */
  final boolean isKnocking() {
    return connected != null;
  }

  /** Fails unless the connection is made soon. */
  final void failLater(ChannelHandlerContext context, String why) {
    context.executor().schedule(() -> fail(context, why), PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  /**
   * The connection is made.
   *
   * @param rest what came behind the other side's word
   */
  final void letIn(ChannelHandlerContext context, ByteBuf rest) {
    if (connected != null) {
      connected.trySuccess();
    }
    context.fireChannelRead(rest);
    context.pipeline().remove(this);
  }

  /**
   * The connection is not made. Vert.x fails the requests that wait for it at once if they are
   * failed by an answer, and leaves them to their own deadlines if not.
   *
   * @param why continues "the node at … "
   */
  final void fail(ChannelHandlerContext context, String why) {
    if (connected != null && !connected.isDone()) {
      String node = "the node at " + context.channel().remoteAddress();
      connected.tryFailure(new ReplyException(ReplyFailure.ERROR, node + ' ' + why));
      context.close();
    }
  }
}
