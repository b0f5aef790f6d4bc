package io.galop.enrich.script;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends calls that take too long or too much memory. It looks now and then instead of setting a
 * timer for each call, so a call costs three writes and may take up to 20 ms longer than its limit.
 *
 * <p>What is not the call's fault does not count. Time in which the process stood still, stopped or
 * without a processor, counts as two looks. A call that could run, and has had less of a processor
 * than its limit, gets {@link #STARVED_MS} more.
 */
public final class ScriptWatchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptWatchdog.class);
  private static final int LOAD_FACTOR = 10;
  private static final long IDLE = 0;
  private static final long INTERRUPTING = -1;
  private static final long INTERRUPTED = -2;

  /** What runs a script's code, and can be told to end it. */
  public interface Stoppable {
    /** Ends what runs, as far as its language allows it; called on another thread. */
    void stop();
  }

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long MAX_PERIOD_MS = 20;

  /** Less than the time after which the thread of a call is given up. */
  private static final long STARVED_MS = 3_000;

  private final long limitNanos;
  private final long limitBytes;
  private final long starvedNanos;
  private final long periodNanos;
  private final long startNanos = System.nanoTime() - 1;
  private final ScheduledExecutorService clock;

  /** When the running call is due, in nanoseconds since the start, or one of the words above. */
  private final AtomicLong due = new AtomicLong(IDLE);

  /** What the call that is due is to be ended by; before the first there is nothing to end. */
  private volatile Stoppable running = () -> {};

  private volatile long allowedNanos;
  private volatile long threadId;
  private volatile long allocatedBefore;

  /** When it looked last, and how long the process has been awake since the start. */
  private long lookedNanos;

  private long awakeNanos;

  /** What it knows of the call that it saw last: the clock's own, as are the two above. */
  private Sight sight = new Sight(IDLE, 0, 0);

  /**
   * A call as it was first seen.
   *
   * @param due what tells it from others
   * @param endNanos of the time awake, when its limit is reached
   * @param cpuNanos what its thread had used of a processor; negative if the JVM does not tell
   */
  private record Sight(long due, long endNanos, long cpuNanos) {}

  ScriptWatchdog(String script, long limitMs, long limitBytes) {
    this(script, limitMs, limitBytes, STARVED_MS);
  }

  ScriptWatchdog(String script, long limitMs, long limitBytes, long starvedMs) {
    this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMs);
    this.limitBytes = limitBytes;
    this.starvedNanos = TimeUnit.MILLISECONDS.toNanos(starvedMs);
    this.clock =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "galop-script-watchdog-" + script);
              thread.setDaemon(true);
              return thread;
            });
    long periodMs = Math.max(5, Math.min(MAX_PERIOD_MS, limitMs / 4));
    this.periodNanos = TimeUnit.MILLISECONDS.toNanos(periodMs);
    clock.scheduleWithFixedDelay(this::look, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  /** A call into the script begins. */
  public void begin(Stoppable running) {
    begin(running, 1);
  }

  /** The script begins to load, which may take ten times what a call may: all of it is new. */
  public void beginLoad(Stoppable running) {
    begin(running, LOAD_FACTOR);
  }

  private void begin(Stoppable running, int factor) {
    this.running = running;
    threadId = Thread.currentThread().getId();
    allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    allowedNanos = factor * limitNanos;
    due.set(now() + factor * limitNanos);
  }

  /**
   * The call has ended. Only returns when no interrupt is under way that would hit the next one.
   *
   * @return whether it was interrupted
   */
  public boolean end() {
    long running = due.get();
    if (running > IDLE && due.compareAndSet(running, IDLE)) {
      return false;
    }
    while (due.get() != INTERRUPTED) {
      Thread.onSpinWait();
    }
    due.set(IDLE);
    return true;
  }

  private long allocated() {
    return THREADS.getThreadAllocatedBytes(threadId) - allocatedBefore;
  }

  private long now() {
    return System.nanoTime() - startNanos;
  }

  private void look() {
    long now = now();
    awakeNanos += Math.min(now - lookedNanos, 2 * periodNanos);
    lookedNanos = now;
    long limit = due.get();
    if (limit > IDLE && limit != sight.due()) {
      sight = new Sight(limit, awakeNanos + Math.max(0, limit - now), cpuNanos());
    }
    if (limit > IDLE
        && (isTooLong() || allocated() > limitBytes)
        && due.compareAndSet(limit, INTERRUPTING)) {
      try {
        running.stop();
      } catch (RuntimeException | Error e) { // or nobody would look any more
        LOG.error("a call could not be ended as it should", e);
      } finally {
        due.set(INTERRUPTED);
      }
    }
  }

  private boolean isTooLong() {
    long beyond = awakeNanos - sight.endNanos();
    return beyond > 0 && (beyond > starvedNanos || !isStarved());
  }

  /** Whether it waits for a processor, not for anything of its own. */
  private boolean isStarved() {
    ThreadInfo thread = THREADS.getThreadInfo(threadId);
    long used = cpuNanos() - sight.cpuNanos();
    return thread != null
        && thread.getThreadState() == Thread.State.RUNNABLE
        && sight.cpuNanos() >= 0
        && used < allowedNanos;
  }

  private long cpuNanos() {
    return THREADS.getThreadCpuTime(threadId);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
