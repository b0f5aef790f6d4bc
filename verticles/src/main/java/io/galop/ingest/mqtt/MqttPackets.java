package io.galop.ingest.mqtt;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.intake.InFlight;
import io.micrometer.core.instrument.Counter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows where the packets of one MQTT connection begin and end, before anything decodes them. A
 * connection that begins with another packet than CONNECT, or with one that is too large or cannot
 * be decoded, is closed without a word in the log: whoever comes there may be nobody's client. A
 * packet that has begun counts as in flight and has a time to become whole, so that a client that
 * has vanished, or sends a byte now and then, holds no room for ever. Keep-alive does not see this:
 * each byte renews it. A packet that only servers send ends the connection too, without a word in
 * the log, as does a second CONNECT: where that has an unknown version, vertx-mqtt puts another
 * endpoint in the place of the one that it has, which then never hears of its end.
 *
 * <p>A client may send on before its CONNECT is answered. That waits here for the CONNACK, no more
 * than one message may have, and is dropped where the CONNECT is refused, as is what follows a
 * DISCONNECT: vertx-mqtt throws where it is given a packet of a client that is not connected.
 *
 * <p>The form of a packet is that of MQTT 3.1.1 and 5, section 2.1: a byte of type and flags, the
 * length of the rest in one to four bytes of seven bits, and the rest; that of a CONNACK is in 3.2:
 * flags and the reason, 0 if the CONNECT was accepted. For the channel's event loop.
 */
final class MqttPackets extends ChannelDuplexHandler {
  private static final int CONNECT = 0x10;
  private static final int CONNACK = 0x20;
  private static final int DISCONNECT_TYPE = 14;

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
    /** A packet came that no client may send. */
    NOTHING,
    /** The CONNECT is whole and not answered. */
    ANSWER,
    /** Client or door has ended the connection. */
    ENDED
  }

  private final InFlight inFlight;
  private final Counter ended;
  private final long timeoutNanos;
  private final long minBytesPerSecond;
  private final int maxBytes;

  private Next next = Next.FIRST;

  /** Whether the packet that has begun is the CONNECT. */
  private boolean isFirst;

  /** Whether the packet that has begun is a DISCONNECT. */
  private boolean isLast;

  private int lengthBytes;
  private long left;

  /** Bytes of the packet that is not whole, as {@link InFlight} knows it; 0 between packets. */
  private long held;

  private long begunNanos;
  private long lastNanos;

  /** What came behind the CONNECT before its answer; null if nothing did. */
  private @Nullable ByteBuf early;

  /** The next look at a packet that is not whole; null if none is due. */
  private @Nullable Future<?> look;

  MqttPackets(InFlight inFlight, Counter ended, IngestConfig config) {
    this.inFlight = inFlight;
    this.ended = ended;
    this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(config.receiveTimeoutMs());
    this.minBytesPerSecond = config.minReceiveBytesPerSecond();
    this.maxBytes = config.mqtt().maxMessageBytes();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (next == Next.ENDED) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (!(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
      context.fireChannelRead(message);
      return;
    }
    boolean isTaken = next == Next.ANSWER ? keep(context, bytes) : follow(context, bytes);
    if (!isTaken) {
      context.close();
    }
    if (isTaken && bytes.isReadable()) {
      context.fireChannelRead(bytes);
    } else {
      bytes.release();
    }
  }

  /** Takes all that is left of the bytes; returns whether there was room. */
  private boolean keep(ChannelHandlerContext context, ByteBuf bytes) {
    int more = bytes.readableBytes();
    if (early == null) {
      early = context.alloc().buffer(more);
    }
    if (early.readableBytes() + more > maxBytes) {
      return false;
    }
    inFlight.holdHalf(more);
    early.writeBytes(bytes);
    return true;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    if (next == Next.ANSWER && message instanceof ByteBuf bytes && bytes.isReadable()) {
      if (isRefusal(bytes)) {
        next = Next.ENDED;
        dropEarly();
      } else { // in a turn of its own: what reads the CONNECT is on the way to here
        context.executor().execute(() -> passEarly(context));
      }
    }
    super.write(context, message, promise);
  }

  /** Of a CONNECT that nothing can decode vertx-mqtt has nobody to tell, and so would log it. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) throws Exception {
    boolean isConnect = isFirst && (next == Next.LENGTH || next == Next.REST);
    if (next == Next.ANSWER || isConnect) { // it is decoded while it comes
      context.close();
    } else {
      super.exceptionCaught(context, failure);
    }
  }

  /** Who reads no answers is read no further until it does: these would pile up without bound. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
    context.channel().config().setAutoRead(context.channel().isWritable());
    super.channelWritabilityChanged(context);
  }

  private void passEarly(ChannelHandlerContext context) {
    if (next != Next.ANSWER) {
      return;
    }
    next = Next.TYPE;
    ByteBuf bytes = early;
    if (bytes != null) {
      early = null;
      inFlight.holdHalf(-bytes.readableBytes());
      channelRead(context, bytes);
      context.fireChannelReadComplete();
    }
  }

  private void dropEarly() {
    if (early != null) {
      inFlight.holdHalf(-early.readableBytes());
      early.release();
      early = null;
    }
  }

  private static boolean isRefusal(ByteBuf bytes) {
    int at = bytes.readerIndex();
    if (bytes.readableBytes() < 4 || bytes.getUnsignedByte(at) != CONNACK) {
      return false;
    }
    do {
      at++;
    } while (bytes.getUnsignedByte(at) >= 0x80);
    return at + 2 < bytes.writerIndex() && bytes.getUnsignedByte(at + 2) != 0;
  }

  /** Returns whether a client may send this. */
  private boolean follow(ChannelHandlerContext context, ByteBuf bytes) {
    if (next == Next.NOTHING) {
      return false;
    }
    int at = bytes.readerIndex();
    int begun = (int) (at - held);
    while (at < bytes.writerIndex() && next != Next.ANSWER && next != Next.ENDED) {
      if (next == Next.REST) {
        int taken = (int) Math.min(left, bytes.writerIndex() - at);
        left -= taken;
        at += taken;
      } else if (!header(bytes.getUnsignedByte(at++))) {
        return false;
      }
      if (next == Next.REST && left == 0) {
        next = isFirst ? Next.ANSWER : isLast ? Next.ENDED : Next.TYPE;
        begun = at;
        begunNanos = 0;
      }
    }
    hold(context, at - begun);
    return next == Next.ANSWER ? keepBehind(context, bytes, at) : cut(bytes, at);
  }

  private boolean keepBehind(ChannelHandlerContext context, ByteBuf bytes, int end) {
    return end == bytes.writerIndex()
        || keep(context, bytes.slice(end, bytes.writerIndex() - end)) && cut(bytes, end);
  }

  private static boolean cut(ByteBuf bytes, int end) {
    bytes.writerIndex(end);
    return true;
  }

  private boolean header(int one) {
    if (next != Next.LENGTH) {
      isFirst = next == Next.FIRST;
      isLast = one >> 4 == DISCONNECT_TYPE;
      boolean may = isFirst ? one == CONNECT : (FROM_CLIENTS >> (one >> 4) & 1) != 0;
      next = may ? Next.LENGTH : Next.NOTHING;
      lengthBytes = 0;
      left = 0;
      return may;
    }
    left |= (long) (one & 0x7f) << 7 * lengthBytes;
    lengthBytes++;
    if (one < 0x80 || lengthBytes == MOST_LENGTH_BYTES) { // a fifth byte is refused when decoded
      next = isFirst && left > maxBytes ? Next.NOTHING : Next.REST;
    }
    return next != Next.NOTHING;
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
    dropEarly();
    if (look != null) {
      look.cancel(false);
    }
  }
}
