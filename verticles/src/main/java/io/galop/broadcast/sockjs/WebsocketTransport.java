package io.galop.broadcast.sockjs;

import io.galop.broadcast.deflate.FrameDeflater;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes bytes that all Subscribers share straight to the connection. Vert.x's own way copies,
 * wraps and queues each message for each connection.
 */
final class WebsocketTransport implements Transport {
  /** How long the last message may take before the websocket is closed all the same. */
  private static final long FAREWELL_MS = 2_000;

  /** How long the websocket's closing may then take before the connection is cut off. */
  private static final long CLOSING_MS = 5_000;

  /**
   * How long who broke a rule may take to agree. A connection that ended at once, with something
   * unread, could be reset before the reason is read.
   */
  private static final long FAILED_MS = 1_000;

  private static final int NORMAL = 1000;

  private final SocketWriter wire;
  private final Framing framing;
  private final @Nullable FrameDeflater deflater;
  private int silentBeats;
  private boolean isClosing;

  /**
   * @param deflater null where the browser has not negotiated compression
   */
  WebsocketTransport(SocketWriter wire, Framing framing, @Nullable FrameDeflater deflater) {
    this.wire = wire;
    this.framing = framing;
    this.deflater = deflater;
  }

  /** Says what the protocol begins with. */
  void open() {
    ByteBuf opening = framing.opening();
    if (opening.isReadable()) {
      wire.write(opening);
    }
  }

  @Override
  public boolean write(Frames frames, Receipt receipt) {
    silentBeats = 0;
    ChannelFuture left = wire.write(shared(frames));
    if (left == null) {
      return true;
    }
    int size = frames.size();
    int records = frames.records();
    left.addListener(done -> receipt.onLeft(size, records, done.isSuccess()));
    return false;
  }

  private ByteBuf shared(Frames frames) {
    return deflater == null
        ? frames.encoded(framing, wire.allocator())
        : frames.deflated(framing, deflater, wire.allocator());
  }

  @Override
  public boolean isReady() {
    return wire.hasNothingWaiting();
  }

  /** Left to itself the system keeps megabytes for a connection that was quick once. */
  @Override
  public void limitSocket(int bytes) {
    if (bytes > 0) {
      wire.limitSocket(bytes);
    }
  }

  @Override
  public String kind() {
    return "websocket";
  }

  @Override
  public String address() {
    return String.valueOf(wire.out().channel().remoteAddress());
  }

  @Override
  public void onBeat() {
    silentBeats++;
    if (silentBeats >= BEATS && wire.hasNothingWaiting()) {
      silentBeats = 0;
      wire.write(framing.heartbeat());
    }
  }

  @Override
  public void close(Ending why) {
    EventExecutor loop = wire.out().executor();
    loop.schedule(() -> closeNow(why), FAREWELL_MS, TimeUnit.MILLISECONDS);
    wire.pass(framing.farewell(why, wire.allocator())).addListener(farewell -> closeNow(why));
  }

  private void closeNow(Ending why) {
    if (isClosing || !wire.out().channel().isActive()) {
      return;
    }
    isClosing = true;
    boolean isRaw = framing == Framing.RAW;
    wire.pass(Framing.closing(isRaw ? why.code() : NORMAL, isRaw ? why.reason() : ""));
    cutOffLater();
  }

  private void cutOffLater() {
    wire.out().executor().schedule(this::cutOff, CLOSING_MS, TimeUnit.MILLISECONDS);
  }

  /** The browser closes the websocket, or agrees that it is closed. */
  void onClosing(int code) {
    if (isClosing) {
      cutOff();
      return;
    }
    isClosing = true;
    ChannelFuture answer = wire.pass(Framing.closing(code, ""));
    answer.addListener(said -> cutOff());
    if (!answer.isDone()) {
      cutOffLater();
    }
  }

  /** The browser broke a rule: it is told which kind, and has a moment to agree. */
  void fail(int code, String reason) {
    if (!isClosing) {
      isClosing = true;
      wire.pass(Framing.closing(code, reason));
      wire.out().executor().schedule(this::cutOff, FAILED_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** Answers, unless the browser has yet to take what was written before. */
  void onPing(byte[] payload) {
    if (wire.hasNothingWaiting() && !isClosing) {
      wire.pass(Framing.pong(payload));
    }
  }

  @Override
  public boolean isSockJs() {
    return framing != Framing.RAW;
  }

  boolean isClosing() {
    return isClosing;
  }

  Framing framing() {
    return framing;
  }

  /** Ends the connection without another word. */
  void cutOff() {
    wire.out().close();
  }
}
