package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The other side of {@link BusGate}: proves the secret to a node before its connection counts as
 * made, and asks for the node's proof.
 */
final class BusKnock extends Knock {
  private final ClusterSecret secret;
  private final byte[] nonce = ClusterSecret.nonce();
  private final byte[] said = new byte[ClusterSecret.NONCE_BYTES + ClusterSecret.PROOF_BYTES];
  private int heard;

  BusKnock(ClusterSecret secret, Predicate<SocketAddress> isBus) {
    super(isBus);
    this.secret = secret;
  }

  @Override
  void begin(ChannelHandlerContext context) {
    failLater(context, "asks for no secret");
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes) || !isKnocking()) {
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
    letIn(context, bytes);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(context, "has refused this one: is its secret the same (cluster.secretFile)?");
    context.fireChannelInactive();
  }
}
