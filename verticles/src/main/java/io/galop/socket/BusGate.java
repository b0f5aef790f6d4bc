package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Lets nobody on the event bus who does not prove that it knows the cluster's secret: sends a
 * number, takes the caller's number and proof, answers with its own proof, and leaves.
 */
public final class BusGate extends ChannelInboundHandlerAdapter {
  private static final long PATIENCE_MS = 5_000;
  private static final int ANSWER_BYTES = ClusterSecret.NONCE_BYTES + ClusterSecret.PROOF_BYTES;

  private final ClusterSecret secret;
  private final RefusalLog refusals;
  private final ChannelHandler next;
  private final byte[] nonce = ClusterSecret.nonce();
  private final byte[] answer = new byte[ANSWER_BYTES];
  private int answered;
  private boolean refused;

  /**
   * For one connection.
   *
   * @param refusals of all connections to this event bus
   * @param next stands behind the gate
   */
  public BusGate(ClusterSecret secret, RefusalLog refusals, ChannelHandler next) {
    this.secret = secret;
    this.refusals = refusals;
    this.next = next;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    context.pipeline().addAfter(context.name(), null, next);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.writeAndFlush(Unpooled.wrappedBuffer(nonce));
    context
        .executor()
        .schedule(
            () -> {
              if (!context.isRemoved()) {
                refuse(context, "it did not answer");
              }
            },
            PATIENCE_MS,
            TimeUnit.MILLISECONDS);
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    int taken = Math.min(ANSWER_BYTES - answered, bytes.readableBytes());
    bytes.readBytes(answer, answered, taken);
    answered += taken;
    if (refused || answered < ANSWER_BYTES) {
      bytes.release();
      return;
    }
    byte[] caller = Arrays.copyOf(answer, ClusterSecret.NONCE_BYTES);
    byte[] proof = Arrays.copyOfRange(answer, ClusterSecret.NONCE_BYTES, ANSWER_BYTES);
    if (!ClusterSecret.isSame(proof, secret.callerProof(nonce, caller))) {
      bytes.release();
      refuse(context, "it does not know the secret of this cluster (cluster.secretFile)");
      return;
    }
    context.writeAndFlush(Unpooled.wrappedBuffer(secret.serverProof(nonce, caller)));
    context.fireChannelRead(bytes);
    context.pipeline().remove(this);
  }

  private void refuse(ChannelHandlerContext context, String why) {
    if (!refused) {
      refused = true;
      SocketAddress caller = context.channel().remoteAddress();
      refusals.refused(
          why,
          RefusalLog.host(caller),
          () -> "bus: closed %s: %s".formatted(caller, why),
          RefusalLog.on(context.executor()));
      context.close();
    }
  }
}
