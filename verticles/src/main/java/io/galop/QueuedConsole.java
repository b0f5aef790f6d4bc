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
  private static final String LEFT_OUT_LINE =
      "{} lines of the log are missing about here: nobody read standard error";
  private static final AtomicInteger WAITING = new AtomicInteger();
  private static final LongAdder WRITTEN = new LongAdder();
  private static final LongAdder LEFT_OUT = new LongAdder();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isMore = lock.newCondition();
  private final Condition isWritten = lock.newCondition();

  /** Of this and those below: under the lock. */
  private final Deque<ILoggingEvent> lines = new ArrayDeque<>();

  private long added;
  private long written;

  /** Somebody has waited in vain, and since then there was always a line that waits. */
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

  /** How many lines this process has not written since nobody read those before. */
  static long leftOut() {
    return LEFT_OUT.sum();
  }

  @Override
  public void start() {
    super.start();
    if (isStarted()) {
      Thread writer = new Thread(this::write, "galop-log-" + getName());
      writer.setDaemon(true);
      writer.start();
    }
  }

  /** What waits is not written any more. */
  @Override
  public void stop() {
    boolean canClose;
    lock.lock();
    try {
      canClose = !isStuck;
      started = false;
      isMore.signalAll();
      isWritten.signalAll();
    } finally {
      lock.unlock();
    }
    if (canClose) {
      super.stop(); // else it would wait for whoever does not read
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

  private void write() {
    while (isStarted()) {
      try {
        ILoggingEvent next = next();
        if (next != null) {
          write(next);
        }
      } catch (InterruptedException e) {
        addInfo("nobody ends it by that");
      }
    }
  }

  /** Blocks while nobody reads. */
  private void write(ILoggingEvent line) {
    try {
      super.append(line);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError fault) {
      LEFT_OUT.increment(); // the next one can be written
    } finally {
      hasWritten();
    }
  }

  private void hasWritten() {
    lock.lock();
    try {
      written++;
      WRITTEN.increment();
      WAITING.decrementAndGet();
      isStuck = isStuck && !lines.isEmpty(); // slow reading must not hold up each line either
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
