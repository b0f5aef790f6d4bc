package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The other side of {@link BusGate}: proves the secret to a node before its connection counts as
 * made, and asks for the node's proof. Of other connections it leaves at once.
 */
final class BusKnock extends ChannelDuplexHandler {
  private static final long PATIENCE_MS = 5_000;

  private final ClusterSecret secret;
  private final Predicate<SocketAddress> isBus;
  private final byte[] nonce = ClusterSecret.nonce();
  private final byte[] said = new byte[ClusterSecret.NONCE_BYTES + ClusterSecret.PROOF_BYTES];
  private int heard;
  private @Nullable ChannelPromise connected;

  BusKnock(ClusterSecret secret, Predicate<SocketAddress> isBus) {
    this.secret = secret;
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
    ChannelPromise opened = context.newPromise();
    opened.addListener(
        done -> {
          if (!done.isSuccess()) {
            promise.tryFailure(done.cause());
          }
        });
    context.connect(remote, local, opened);
    context
        .executor()
        .schedule(() -> fail(context, "asks for no secret"), PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes) || connected == null) {
      context.fireChannelRead(message);
      return;
    }
    int before = heard;
    int taken = Math.min(said.length - heard, bytes.readableBytes());
    bytes.readBytes(said, heard, taken);
    heard += taken;
    byte[] server = Arrays.copyOf(said, ClusterSecret.NONCE_BYTES);
    if (before < ClusterSecret.NONCE_BYTES && heard >= ClusterSecret.NONCE_BYTES) {
      context.writeAndFlush(Unpooled.wrappedBuffer(nonce, secret.callerProof(server, nonce)));
    }
    if (heard < said.length) {
      bytes.release();
      return;
    }
    byte[] proof = Arrays.copyOfRange(said, ClusterSecret.NONCE_BYTES, said.length);
    if (!ClusterSecret.isSame(proof, secret.serverProof(server, nonce))) {
      bytes.release();
      fail(context, "does not know the secret of this cluster");
      return;
    }
    connected.trySuccess();
    context.fireChannelRead(bytes);
    context.pipeline().remove(this);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(context, "has refused this one: is its secret the same (cluster.secretFile)?");
    context.fireChannelInactive();
  }

  private void fail(ChannelHandlerContext context, String why) {
    if (connected != null && !connected.isDone()) {
      String node = "the node at " + context.channel().remoteAddress();
      connected.tryFailure(new IOException(node + ' ' + why));
      context.close();
    }
  }
}
