package io.galop.broadcast.write;

import io.galop.vertx.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When the outboxes of an event loop are emptied: at once when the loop is idle, else in rounds
 * that take a part of the loop's time and no more. The slower the last round was, the longer the
 * next one waits and the more goes out in it with one write for each connection.
 */
public final class Pulse {
  private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);

  /** From the begin of a round to that of the next: so many times what it took. */
  private static final int SPACING = 4;

  /** So many outboxes are emptied before whatever else is due on the event loop gets its turn. */
  private static final int AT_ONCE = 128;

  /** So many that what they consist of stays in the caches until it is needed. */
  private static final int LOOKED_AT_TOGETHER = 16;

  private final Loop loop;
  private final long maxTickNanos;
  private final Rounds rounds;
  private final Tick[] ticks = {new Tick(0), new Tick(1)};
  private int turn;
  private List<Outbox> due = new ArrayList<>();
  private List<Outbox> round = new ArrayList<>();
  private int next;
  private boolean isUnderWay;
  private long beginNanos;
  private long notBeforeNanos = System.nanoTime();

  /**
   * @param tail the number in the ring of the next record that the outboxes will be handed
   */
  public Pulse(Loop loop, long maxTickMs, LongSupplier tail) {
    this.loop = loop;
    this.rounds = new Rounds(tail, notBeforeNanos);
    this.maxTickNanos = TimeUnit.MILLISECONDS.toNanos(maxTickMs);
  }

  /** When they were. */
  public Rounds rounds() {
    return rounds;
  }

  /** Where an outbox begins to fill a Bundle; it has to let that go once. */
  Bundle hold() {
    return ticks[turn].hold();
  }

  /** A Bundle that was not let go yet. */
  Bundle bundle(int number) {
    return ticks[Tick.turnOf(number)].bundle(number);
  }

  /** An outbox is to be emptied in the next round. */
  void due(Outbox outbox) {
    due.add(outbox);
    beginSoon();
  }

  private void beginSoon() {
    if (!isUnderWay) {
      isUnderWay = true;
      long delay = notBeforeNanos - System.nanoTime();
      if (delay > 0) {
        after(delay, this::begin);
      } else {
        loop.netty().execute(() -> loop.emit(this::begin));
      }
    }
  }

  private void after(long nanos, Runnable task) {
    loop.netty().schedule(() -> loop.emit(task), nanos, TimeUnit.NANOSECONDS);
  }

  /** Runs something when what is due and what the sockets have was looked at. */
  public void later(Runnable task) {
    after(0, task);
  }

  private void begin() {
    beginNanos = System.nanoTime();
    rounds.begin(beginNanos);
    List<Outbox> empty = round;
    round = due;
    due = empty;
    turn = 1 - turn;
    next = 0;
    goOn();
  }

  private void goOn() {
    int end = Math.min(round.size(), next + AT_ONCE);
    while (next < end) {
      int soon = Math.min(end, next + LOOKED_AT_TOGETHER);
      lookAt(next, soon);
      while (next < soon) {
        empty(round.get(next++));
      }
    }
    if (next < round.size()) {
      later(this::goOn);
    } else {
      end();
    }
  }

  /**
   * What an outbox consists of is far apart in memory, and the last round has pushed it out of the
   * processor's caches. Looked at one after the other, outboxes make the processor wait for each;
   * looked at together, for all of them once.
   */
  private void lookAt(int from, int to) {
    for (int i = from; i < to; i++) {
      round.get(i).isReady();
    }
  }

  /**
   * Whatever is wrong with one connection must not keep the others from their records. What cannot
   * be written ends it; here is what goes wrong with that.
   */
  private static void empty(Outbox outbox) {
    try {
      outbox.onPulse();
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a connection could not be ended", fault);
    }
  }

  private void end() {
    round.clear();
    long endNanos = System.nanoTime();
    rounds.end(endNanos);
    long took = endNanos - beginNanos;
    notBeforeNanos = beginNanos + Math.min(maxTickNanos, took * SPACING);
    isUnderWay = false;
    if (!due.isEmpty()) {
      beginSoon();
    }
  }
}
