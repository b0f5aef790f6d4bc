package io.galop.enrich.script;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.graalvm.polyglot.Context;

/**
 * Ends calls that take too long. It looks now and then instead of setting a timer for each call, so
 * a call costs two writes and may take up to a quarter longer than its limit.
 */
final class ScriptWatchdog implements AutoCloseable {
  private static final long IDLE = 0;
  private static final long INTERRUPTING = -1;
  private static final long INTERRUPTED = -2;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final long limitNanos;
  private final long startNanos = System.nanoTime() - 1;
  private final ScheduledExecutorService clock;

  /** When the running call is due, in nanoseconds since the start, or one of the words above. */
  private final AtomicLong due = new AtomicLong(IDLE);

  private volatile Context context;

  ScriptWatchdog(String script, long limitMs) {
    this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMs);
    this.clock =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "galop-script-watchdog-" + script);
              thread.setDaemon(true);
              return thread;
            });
    long periodMs = Math.max(5, limitMs / 4);
    clock.scheduleWithFixedDelay(this::look, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  /** A call into the context begins. */
  void begin(Context running) {
    context = running;
    due.set(now() + limitNanos);
  }

  /**
   * The call has ended. Only returns when no interrupt is under way that would hit the next one.
   *
   * @return whether it was interrupted
   */
  boolean end() {
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

  private long now() {
    return System.nanoTime() - startNanos;
  }

  private void look() {
    long running = due.get();
    if (running > IDLE && now() > running && due.compareAndSet(running, INTERRUPTING)) {
      try {
        context.interrupt(PATIENCE);
      } catch (TimeoutException e) {
        context.close(true);
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
