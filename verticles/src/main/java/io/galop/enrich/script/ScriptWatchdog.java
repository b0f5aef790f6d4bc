package io.galop.enrich.script;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends calls that take too long or too much memory. It looks now and then instead of setting a
 * timer for each call, so a call costs two writes and may take up to 20 ms longer than its limit.
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

  private final long limitNanos;
  private final long limitBytes;
  private final long startNanos = System.nanoTime() - 1;
  private final ScheduledExecutorService clock;

  /** When the running call is due, in nanoseconds since the start, or one of the words above. */
  private final AtomicLong due = new AtomicLong(IDLE);

  /** What the call that is due is to be ended by; before the first there is nothing to end. */
  private volatile Stoppable running = () -> {};

  private volatile long threadId;
  private volatile long allocatedBefore;

  ScriptWatchdog(String script, long limitMs, long limitBytes) {
    this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMs);
    this.limitBytes = limitBytes;
    this.clock =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "galop-script-watchdog-" + script);
              thread.setDaemon(true);
              return thread;
            });
    long periodMs = Math.max(5, Math.min(MAX_PERIOD_MS, limitMs / 4));
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
    long limit = due.get();
    if (limit > IDLE
        && (now() > limit || allocated() > limitBytes)
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

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
