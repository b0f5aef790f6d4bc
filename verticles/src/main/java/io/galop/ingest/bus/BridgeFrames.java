package io.galop.ingest.bus;

import io.galop.ingest.intake.DoorMeters;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.galop.socket.FrameBound;
import io.galop.socket.RefusalLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers frames that the bridge cannot read, {@code {"type":"err","message":"…"}}, and lets the
 * others pass, each whole. For one connection, whose event loop calls it.
 */
final class BridgeFrames extends LengthFieldBasedFrameDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(BridgeFrames.class);
  private static final int LENGTH_BYTES = 4;

  private final FrameBound bound;
  private final RefusalLog refusals;
  private final DoorMeters meters;

  /**
   * For one connection.
   *
   * @param bound stands in front, so that no frame here is larger
   * @param maxBytes of a frame
   */
  BridgeFrames(FrameBound bound, int maxBytes, RefusalLog refusals, DoorMeters meters) {
    super(LENGTH_BYTES + maxBytes, 0, LENGTH_BYTES);
    this.bound = bound;
    this.refusals = refusals;
    this.meters = meters;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    context.pipeline().addBefore(context.name(), null, bound);
  }

  @Override
  protected @Nullable Object decode(ChannelHandlerContext context, ByteBuf in) throws Exception {
    if (!(super.decode(context, in) instanceof ByteBuf frame)) {
      return null;
    }
    int length = frame.readableBytes() - LENGTH_BYTES;
    String sent = frame.toString(LENGTH_BYTES, length, StandardCharsets.UTF_8);
    BridgeFrame read = BridgeFrame.of(sent);
    if (read.problem().isEmpty() && read.text().equals(sent)) {
      return frame;
    }
    frame.release();
    if (read.problem().isEmpty()) {
      return frame(read.text().getBytes(StandardCharsets.UTF_8));
    }
    refuse(context, read.problem());
    return null;
  }

  private static ByteBuf frame(byte[] content) {
    return Unpooled.wrappedBuffer(
        Unpooled.copyInt(content.length), Unpooled.wrappedBuffer(content));
  }

  /** Who sends such frames and reads no answers is closed, so that these do not pile up. */
  private void refuse(ChannelHandlerContext context, String problem) {
    SocketAddress sender = context.channel().remoteAddress();
    meters.rejected(new Rejection(0, Reason.MALFORMED, problem));
    refusals.refused(
        problem,
        RefusalLog.host(sender),
        () -> "bridge: refused a frame of %s: %s".formatted(sender, problem),
        RefusalLog.on(context.executor()));
    if (context.channel().isWritable()) {
      byte[] answer =
          new JsonObject().put("type", "err").put("message", problem).toBuffer().getBytes();
      context.writeAndFlush(frame(answer));
    } else {
      context.close();
    }
  }

  /** Who reads no answers is read no further until it does: these would pile up without bound. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
    context.channel().config().setAutoRead(context.channel().isWritable());
    super.channelWritabilityChanged(context);
  }

  /** A client that resets its connection is no error; the bridge would write its stack. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("bridge: {} has gone", context.channel().remoteAddress(), cause);
      context.close();
    } else {
      context.fireExceptionCaught(cause);
    }
  }
}
