package io.galop.ops.drill;

import io.galop.vertx.Loop;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Has a relay's own viewers watch a drill of a node inside. On one event loop. */
final class RelayRun {
  private static final long TICK_MS = 100;

  /** So long after the first word of a drill a node sends records to relays that it may not ask. */
  static final long LEAD_MS = 2_000;

  /** Between two ticks: the process stood still, and what waits for it is not late. */
  private static final long STOOD_STILL_MS = 1_000;

  private final Loop loop;
  private final RelayOrder order;
  private final BooleanSupplier isReady;
  private final Map<DrillStage, DrillViewer> viewers = new EnumMap<>(DrillStage.class);
  private final Ended onEnd;
  private final long begunNanos = System.nanoTime();
  private RelayRound round;
  private long waitsSinceNanos = begunNanos;
  private long tickNanos = begunNanos;
  private long timer;
  private boolean isOver;
  private Optional<DrillVerdict> verdict = Optional.empty();

  /** Is told of a round that is over. */
  interface Ended {
    void ended(RelayRun run, DrillVerdict verdict);
  }

  /**
   * @param isReady whether the relay has its feed and takes viewers
   */
  RelayRun(
      Loop loop,
      RelayOrder order,
      RelayRound round,
      BooleanSupplier isReady,
      DrillRun.ViewersOf made,
      Ended onEnd) {
    this.loop = loop;
    this.order = order;
    this.round = round;
    this.isReady = isReady;
    this.onEnd = onEnd;
    viewers.putAll(made.make(this::take));
    viewers.keySet().retainAll(round.plan().transports());
  }

  void start() {
    hear(RelayOrder.Word.WATCH);
    timer = loop.vertx().setPeriodic(TICK_MS, due -> tick());
    viewers.values().forEach(DrillViewer::join);
  }

  private void take(DrillEvent.OfViewer event) {
    loop.check();
    if (!isOver) {
      round = round.after(event);
      look();
    }
  }

  /** Takes what the node inside says next. */
  void hear(RelayOrder.Word word) {
    if (isOver) {
      return;
    }
    switch (word) {
      case WATCH -> round = round.isSent() ? round : round.mayBeSent();
      case SENT -> {
        if (!round.isSent()) {
          round = round.sent();
          waitsSinceNanos = System.nanoTime();
          look();
        }
      }
      case NOTHING -> end(Optional.empty());
    }
  }

  private void tick() {
    if (isOver) {
      return;
    }
    if (!isReady.getAsBoolean()) {
      round = round.unsettled();
    }
    long nowNanos = System.nanoTime();
    if (!isBefore(tickNanos, STOOD_STILL_MS)) {
      waitsSinceNanos += nowNanos - tickNanos;
    }
    tickNanos = nowNanos;
    if (!isBefore(waitsSinceNanos, order.withinMs())) {
      round = round.overdue();
    }
    look();
    if (!isOver && !isBefore(begunNanos, order.forMs())) {
      end(Optional.empty());
    }
  }

  private static boolean isBefore(long sinceNanos, long ms) {
    return System.nanoTime() - sinceNanos < TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private void look() {
    if (round.isDone()) {
      round = isReady.getAsBoolean() ? round : round.unsettled();
      end(round.verdict());
    }
  }

  private void end(Optional<DrillVerdict> with) {
    isOver = true;
    verdict = with;
    loop.vertx().cancelTimer(timer);
    viewers.values().forEach(DrillViewer::leave);
    with.ifPresent(told -> onEnd.ended(this, told));
  }

  /** Ends it if the node has gone on to another drill: it was ended, or the link was cut. */
  void endBefore(RelayOrder next) {
    if (!isOver && next.follows(order)) {
      end(Optional.empty());
    }
  }

  boolean isOf(RelayOrder other) {
    return order.way().equals(other.way());
  }

  boolean isOver() {
    return isOver;
  }

  /** Since it began. */
  long tookMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
  }

  /** What became of it; empty: it is not over, or nothing can be said. */
  Optional<DrillVerdict> verdict() {
    return verdict;
  }

  RelayState state() {
    if (!isOver) {
      boolean isWaiting = round.isSent() || !round.isJoined();
      return isWaiting ? RelayState.WAITING : RelayState.WATCHING;
    }
    return verdict
        .map(told -> told.isPassed() ? RelayState.PASSED : RelayState.FAILED)
        .orElse(RelayState.UNKNOWN);
  }
}
