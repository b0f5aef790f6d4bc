package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** One browser. All of it runs on its event loop. */
abstract class SimulatedViewer {
  private final Seat seat;
  private final String session;
  private final ViewerTally tally;
  private final ViewerFrames frames;
  private @Nullable Channel channel;
  private boolean isOpen;
  private boolean isRegistered;

  SimulatedViewer(Seat seat) {
    this.seat = seat;
    String unique = Long.toString(System.nanoTime(), Character.MAX_RADIX);
    this.session = "/%03d/%s-%d".formatted(seat.number() % 1_000, unique, seat.number());
    this.tally = seat.isStalled() ? new ViewerTally(seat.figures()) : seat.figures().add();
    this.frames = new ViewerFrames(seat.figures(), tally);
  }

  static SimulatedViewer of(Seat seat) {
    return seat.audience().transport().isWebSocket()
        ? new SocketViewer(seat)
        : new PollingViewer(seat);
  }

  /** Connects, and registers when connected. */
  final void start() {
    dialer().dial(loop(), number(), isStalled(), handler(), () -> onBroken("not connected"));
  }

  /** Of a new connection, which it tells by {@link #connected}. */
  abstract ChannelHandler handler();

  final void connected(Channel to) {
    channel = to;
  }

  /** The newest connection; null: none yet. */
  final @Nullable Channel channel() {
    return channel;
  }

  /** Closes the connection; nothing that comes after counts. */
  final void leave() {
    tally.leave();
    if (channel != null) {
      channel.close();
    }
  }

  /** Registers with the server if that was not done yet. */
  abstract void register();

  final void onSockJs(ByteBuf in, int start, int length) {
    switch (in.getByte(start)) {
      case 'a' -> frames.onMessages(in, start, length);
      case 'o' -> onOpen();
      case 'c' -> frames.onClose(in, start, length);
      default -> {}
    }
  }

  /** Once; if it comes again the session was gone, with all that was registered in it. */
  private void onOpen() {
    if (isOpen) {
      onBroken("the server has lost the session");
    }
    isOpen = true;
    register();
  }

  final EventLoop loop() {
    return seat.loop();
  }

  final int number() {
    return seat.number();
  }

  /** {@code /server/session}; no other viewer has the same. */
  final String session() {
    return session;
  }

  final boolean isStalled() {
    return seat.isStalled();
  }

  final ViewerGroup audience() {
    return seat.audience();
  }

  final Dialer dialer() {
    return seat.dialer();
  }

  final LoopFigures figures() {
    return seat.figures();
  }

  final ViewerTally tally() {
    return tally;
  }

  final ViewerFrames frames() {
    return frames;
  }

  final boolean isRegistered() {
    return isRegistered;
  }

  /** The first time is told on. */
  final void onRegistered() {
    if (!isRegistered) {
      isRegistered = true;
      figures().onRegistered();
    }
  }

  /** Something ended this viewer's connection that should not have. */
  final void onBroken(String what) {
    if (!tally.hasLeft() && !tally.isLost() && !isStalled()) {
      figures().onError(what);
      tally.onLost();
    }
    onRegistered();
  }
}
