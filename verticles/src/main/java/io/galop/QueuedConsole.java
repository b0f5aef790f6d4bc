package io.galop;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes the log by a thread of its own. Standard error blocks whoever writes to it when nobody
 * reads: after Ctrl-S in a terminal, or behind a program that stands still. An event loop must not
 * wait for that.
 *
 * <p>Whoever logs does wait until the line is written, so that the last ones are there when the
 * process ends, but not longer than {@link #PATIENCE_NANOS}, and not at all while nobody reads.
 * Then lines wait up to a bound; more are left out and counted, and a line says how many. Safe to
 * use from any thread.
 */
public final class QueuedConsole extends ConsoleAppender<ILoggingEvent> {
  static final int MOST_LINES = 1_000;
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Nobody waits for a line while writing one takes so long. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long LOOK_MS = 50;
  private static final String LEFT_OUT_LINE =
      "{} lines of the log are missing about here: nobody read standard error";
  private static final AtomicInteger WAITING = new AtomicInteger();
  private static final LongAdder WRITTEN = new LongAdder();
  private static final LongAdder LEFT_OUT = new LongAdder();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isMore = lock.newCondition();
  private final Condition isWritten = lock.newCondition();

  /** Of this and those below: under the lock. */
  private final Deque<ILoggingEvent> lines = new ArrayDeque<>(MOST_LINES + 2);

  private long added;
  private long written;

  /**
   * Somebody has waited in vain, and since then there was always a line that waits; or the last one
   * took long.
   */
  private boolean isStuck;

  private long untold;

  /** How many lines wait in this process. */
  static int waiting() {
    return WAITING.get();
  }

  /** How many lines this process has written. */
  static long written() {
    return WRITTEN.sum();
  }

  /** How many lines this process could not write, mostly as nobody read those before. */
  static long leftOut() {
    return LEFT_OUT.sum();
  }

  @Override
  public void start() {
    super.start();
    if (isStarted()) {
      Thread writer = new Thread(this::write, "log-lines-" + getName());
      writer.setDaemon(true);
      writer.start();
    }
  }

  /** What waits is not written any more. Standard error stays open, as it may hang. */
  @Override
  public void stop() {
    lock.lock();
    try {
      started = false;
      WAITING.addAndGet(-lines.size());
      lines.clear();
      isMore.signalAll();
      isWritten.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all lines of this process are written, or for so long nobody has read one. */
  static void drain(long patienceMs) throws InterruptedException {
    long before = -1;
    long since = System.nanoTime();
    while (waiting() > 0 && System.nanoTime() - since < TimeUnit.MILLISECONDS.toNanos(patienceMs)) {
      if (written() != before) {
        before = written();
        since = System.nanoTime();
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (!isStarted()) {
      return;
    }
    event.prepareForDeferredProcessing();
    lock.lock();
    try {
      if (lines.size() >= MOST_LINES) {
        untold++;
        LEFT_OUT.increment();
      } else {
        add(event);
        await(added);
      }
    } finally {
      lock.unlock();
    }
  }

  private void add(ILoggingEvent event) {
    lines.add(event);
    added++;
    WAITING.incrementAndGet();
    isMore.signal();
  }

  private void await(long number) {
    long leftNanos = PATIENCE_NANOS;
    try {
      while (written < number && !isStuck && isStarted()) {
        if (leftNanos <= 0) {
          isStuck = true;
          isWritten.signalAll();
        } else {
          leftNanos = isWritten.awaitNanos(leftNanos);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // of what the thread does besides
    }
  }

  /** Whatever happens to one line: the next one is written. */
  private void write() {
    while (isStarted()) {
      try {
        ILoggingEvent next = next();
        if (next != null) {
          write(next);
        }
      } catch (Throwable fault) {
        LEFT_OUT.increment();
      }
    }
  }

  /** Blocks while nobody reads. */
  private void write(ILoggingEvent line) {
    long begin = System.nanoTime();
    try {
      super.append(line);
    } finally {
      hasWritten(System.nanoTime() - begin > SLOW_NANOS);
    }
  }

  private void hasWritten(boolean isSlow) {
    lock.lock();
    try {
      written++;
      WRITTEN.increment();
      WAITING.decrementAndGet();
      isStuck = isSlow || isStuck && !lines.isEmpty();
      isWritten.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The line to be written, once there is one; null at the end. */
  private @Nullable ILoggingEvent next() throws InterruptedException {
    lock.lock();
    try {
      if (untold > 0 && lines.size() <= MOST_LINES / 2) {
        add(howManyAreLeftOut());
        untold = 0;
      }
      while (lines.isEmpty() && isStarted()) {
        isMore.await();
      }
      return lines.poll();
    } finally {
      lock.unlock();
    }
  }

  private ILoggingEvent howManyAreLeftOut() {
    Logger own = ((LoggerContext) getContext()).getLogger(QueuedConsole.class);
    Object[] count = {untold};
    return new LoggingEvent(Logger.FQCN, own, Level.WARN, LEFT_OUT_LINE, null, count);
  }
}
