package io.galop.broadcast.write;

import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
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

  /**
   * Viewers that are behind at different places share nothing. On a busy loop a round comes late,
   * and what hundreds of them read meanwhile is kept until then; so it has a bound, within 1 and 16
   * MB of messages.
   */
  private static final long MOST_BYTES =
      Math.max(1 << 20, Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 64));

  /**
   * Those who keep up may fill in so many times what the others may, and are not held up by them.
   */
  private static final int MOST_OF_ALL = 4;

  /** So many are woken at once: each may read far. */
  private static final int WOKEN_AT_ONCE = 32;

  /** So many that what they consist of stays in the caches until it is needed. */
  private static final int LOOKED_AT_TOGETHER = 16;

  private final Loop loop;
  private final long maxTickNanos;
  private final long mostBytes;
  private final Counter filled;
  private final Rounds rounds;
  private final Tick[] ticks = {new Tick(0), new Tick(1)};

  /** Wait for the next round, to write more; each once. */
  private List<Outbox> waiting = new ArrayList<>();

  /** Those of them who are told that this round has begun. */
  private List<Outbox> woken = new ArrayList<>();

  private int nextWoken;
  private int turn;
  private List<Outbox> due = new ArrayList<>();
  private List<Outbox> round = new ArrayList<>();
  private int next;
  private boolean isUnderWay;

  /** A round is to begin, but has not. */
  private boolean isDue;

  /** It need not leave the loop its time first: those who wait would take that as well. */
  private boolean isHurried;

  /** Which of all begins is due; others are too late. */
  private int begins;

  private long beginNanos;
  private long notBeforeNanos = System.nanoTime();

  /**
   * @param tail the number in the ring of the next record that the outboxes will be handed
   * @param filled counts the rounds for which somebody had to wait with what he would have written
   */
  public Pulse(Loop loop, long maxTickMs, LongSupplier tail, Counter filled) {
    this(loop, maxTickMs, tail, filled, MOST_BYTES);
  }

  Pulse(Loop loop, long maxTickMs, LongSupplier tail, Counter filled, long mostBytes) {
    this.loop = loop;
    this.filled = filled;
    this.mostBytes = mostBytes;
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

  /** Whether those who are behind should fill in no more before the next round. */
  boolean isFull() {
    return ticks[turn].bytes() >= mostBytes;
  }

  /** Whether nobody should: those who keep up share most, and are not to fall behind for others. */
  boolean isOverfull() {
    return ticks[turn].bytes() >= MOST_OF_ALL * mostBytes;
  }

  /** An outbox is told by {@link Outbox#onRound} when the next round begins. */
  void awaitRound(Outbox outbox) {
    waiting.add(outbox);
    if (isDue && !isHurried) {
      isHurried = true;
      beginAfter(0);
    } else {
      beginSoon();
    }
  }

  /** How much is held of what is written and what is to be written. */
  long heldBytes() {
    return ticks[0].bytes() + ticks[1].bytes();
  }

  private void beginSoon() {
    if (!isUnderWay) {
      isUnderWay = true;
      isDue = true;
      isHurried = !waiting.isEmpty();
      beginAfter(isHurried ? 0 : notBeforeNanos - System.nanoTime());
    }
  }

  private void beginAfter(long nanos) {
    int number = ++begins;
    if (nanos > 0) {
      after(nanos, () -> begin(number));
    } else {
      loop.netty().execute(() -> loop.emit(() -> begin(number)));
    }
  }

  private void begin(int number) {
    if (isDue && number == begins) {
      isDue = false;
      begin();
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
    awake();
    goOn();
  }

  private void awake() {
    if (!waiting.isEmpty()) {
      filled.increment();
      List<Outbox> told = woken;
      woken = waiting;
      waiting = told;
    }
  }

  /**
   * Before those whose turn it is to be emptied: they had theirs, and would fill all again.
   *
   * @return whether there are more
   */
  private boolean wakeSome() {
    int end = Math.min(woken.size(), nextWoken + WOKEN_AT_ONCE);
    while (nextWoken < end) {
      guarded(woken.get(nextWoken++)::onRound);
    }
    if (nextWoken < woken.size()) {
      return true;
    }
    woken.clear();
    nextWoken = 0;
    return false;
  }

  private void goOn() {
    if (wakeSome()) {
      later(this::goOn);
      return;
    }
    int end = Math.min(round.size(), next + AT_ONCE);
    while (next < end) {
      int soon = Math.min(end, next + LOOKED_AT_TOGETHER);
      lookAt(next, soon);
      while (next < soon) {
        guarded(round.get(next++)::onPulse);
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
  private static void guarded(Runnable turn) {
    try {
      turn.run();
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
    if (!due.isEmpty() || !waiting.isEmpty()) {
      beginSoon();
    }
  }
}
