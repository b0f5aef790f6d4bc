package io.galop.ingest.mqtt;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.intake.InFlight;
import io.micrometer.core.instrument.Counter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Follows where the packets of one MQTT connection begin and end, before anything decodes them. A
 * connection that begins with another packet than CONNECT is closed. A packet that has begun counts
 * as in flight and has a time to become whole, so that a client that has vanished, or sends a byte
 * now and then, holds no room for ever. Keep-alive does not see this: each byte renews it. A packet
 * that only servers send ends the connection too, without a word in the log, as does a second
 * CONNECT: where that has an unknown version, vertx-mqtt puts another endpoint in the place of the
 * one that it has, which then never hears of its end.
 *
 * <p>The form of a packet is that of MQTT 3.1.1 and 5, section 2.1: a byte of type and flags, the
 * length of the rest in one to four bytes of seven bits, and the rest. For the channel's event
 * loop.
 */
final class MqttPackets extends ChannelInboundHandlerAdapter {
  private static final int CONNECT = 0x10;

  /** Bit n: a client may send packets of type n behind its CONNECT. */
  private static final int FROM_CLIENTS =
      1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 10 | 1 << 12 | 1 << 14;

  private static final int MOST_LENGTH_BYTES = 4;
  private static final long LOOK_MS = 250;
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private enum Next {
    FIRST,
    TYPE,
    LENGTH,
    REST,
    NOTHING
  }

  private final InFlight inFlight;
  private final Counter ended;
  private final long timeoutNanos;
  private final long minBytesPerSecond;

  private Next next = Next.FIRST;
  private int lengthBytes;
  private long left;

  /** Bytes of the packet that is not whole, as {@link InFlight} knows it; 0 between packets. */
  private long held;

  private long begunNanos;
  private long lastNanos;
  private Future<?> look;

  MqttPackets(InFlight inFlight, Counter ended, IngestConfig config) {
    this.inFlight = inFlight;
    this.ended = ended;
    this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(config.receiveTimeoutMs());
    this.minBytesPerSecond = config.minReceiveBytesPerSecond();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes && bytes.isReadable() && !follow(context, bytes)) {
      ReferenceCountUtil.release(message);
      context.close();
      return;
    }
    context.fireChannelRead(message);
  }

  /** Returns whether a client may send this. */
  private boolean follow(ChannelHandlerContext context, ByteBuf bytes) {
    if (next == Next.NOTHING) {
      return false;
    }
    int at = bytes.readerIndex();
    int begun = (int) (at - held);
    while (at < bytes.writerIndex()) {
      if (next == Next.REST) {
        int taken = (int) Math.min(left, bytes.writerIndex() - at);
        left -= taken;
        at += taken;
      } else if (!header(bytes.getUnsignedByte(at++))) {
        return false;
      }
      if (next == Next.REST && left == 0) {
        next = Next.TYPE;
        begun = at;
        begunNanos = 0;
      }
    }
    hold(context, at - begun);
    return true;
  }

  private boolean header(int one) {
    if (next != Next.LENGTH) {
      boolean may = next == Next.FIRST ? one == CONNECT : (FROM_CLIENTS >> (one >> 4) & 1) != 0;
      next = may ? Next.LENGTH : Next.NOTHING;
      lengthBytes = 0;
      left = 0;
      return may;
    }
    left |= (long) (one & 0x7f) << 7 * lengthBytes;
    lengthBytes++;
    if (one < 0x80 || lengthBytes == MOST_LENGTH_BYTES) { // a fifth byte is refused when decoded
      next = Next.REST;
    }
    return true;
  }

  private void hold(ChannelHandlerContext context, long bytes) {
    inFlight.holdHalf(bytes - held);
    held = bytes;
    if (bytes == 0) {
      return;
    }
    lastNanos = System.nanoTime();
    if (begunNanos == 0) {
      begunNanos = lastNanos;
    }
    if (look == null) {
      look = context.executor().schedule(() -> look(context), LOOK_MS, TimeUnit.MILLISECONDS);
    }
  }

  private void look(ChannelHandlerContext context) {
    look = null;
    if (held == 0) {
      return;
    }
    long now = System.nanoTime();
    if (!context.channel().config().isAutoRead()) { // this node does not read: no time passes
      begunNanos = now;
      lastNanos = now;
    }
    if (isLate(now) || inFlight.isCrowded() && now - lastNanos > SECOND_NANOS) {
      ended.increment();
      context.close();
    } else {
      look = context.executor().schedule(() -> look(context), LOOK_MS, TimeUnit.MILLISECONDS);
    }
  }

  private boolean isLate(long now) {
    long allowance = held * SECOND_NANOS / minBytesPerSecond;
    return now - lastNanos > timeoutNanos || now - begunNanos - allowance > timeoutNanos;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    inFlight.holdHalf(-held);
    held = 0;
    if (look != null) {
      look.cancel(false);
    }
  }
}
