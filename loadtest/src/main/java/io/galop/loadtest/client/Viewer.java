package io.galop.loadtest.client;

import io.netty.channel.EventLoop;

/** One browser. All of it runs on its event loop. */
abstract class Viewer {
  private final EventLoop loop;
  private final int number;
  private final String session;
  private final boolean isStalled;
  private final Audience audience;
  private final Dialer dialer;
  private final LoopFigures figures;
  private final Tally tally;
  private boolean isRegistered;

  /**
   * @param loop that it belongs to
   * @param number among all viewers
   * @param isStalled whether it never reads; such a viewer is not counted
   */
  Viewer(
      EventLoop loop,
      int number,
      boolean isStalled,
      Audience audience,
      LoopFigures figures,
      Dialer dialer) {
    this.loop = loop;
    this.number = number;
    String unique = Long.toString(System.nanoTime(), Character.MAX_RADIX);
    this.session = "/%03d/%s-%d".formatted(number % 1_000, unique, number);
    this.isStalled = isStalled;
    this.audience = audience;
    this.dialer = dialer;
    this.figures = figures;
    this.tally = isStalled ? new Tally(figures) : figures.add();
  }

  static Viewer of(
      EventLoop loop,
      int number,
      boolean isStalled,
      Audience audience,
      LoopFigures figures,
      Dialer dialer) {
    return audience.transport().isWebSocket()
        ? new SocketViewer(loop, number, isStalled, audience, figures, dialer)
        : new PollingViewer(loop, number, isStalled, audience, figures, dialer);
  }

  /** Connects, and registers when connected. */
  abstract void start();

  /** Closes the connection; nothing that comes after counts. */
  abstract void leave();

  final EventLoop loop() {
    return loop;
  }

  final int number() {
    return number;
  }

  /** {@code /server/session}; no other viewer has the same. */
  final String session() {
    return session;
  }

  final boolean isStalled() {
    return isStalled;
  }

  final Audience audience() {
    return audience;
  }

  final Dialer dialer() {
    return dialer;
  }

  final LoopFigures figures() {
    return figures;
  }

  final Tally tally() {
    return tally;
  }

  final boolean isRegistered() {
    return isRegistered;
  }

  /** The first time is told on. */
  final void onRegistered() {
    if (!isRegistered) {
      isRegistered = true;
      figures.onRegistered();
    }
  }

  /** Something ended this viewer's connection that should not have. */
  final void onBroken(String what) {
    if (!tally.hasLeft() && !tally.isLost() && !isStalled) {
      figures.onError(what);
      tally.onLost();
    }
    onRegistered();
  }
}
