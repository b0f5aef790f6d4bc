package io.galop.persist.log;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Frees old segments and makes the next one ahead, beside the thread that writes. */
final class Keeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
  private static final long PERIOD_MS = 100;
  private final Retention retention;
  private final Spare spare;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "galop-log-keeper");
            made.setDaemon(true);
            return made;
          });

  Keeper(Retention retention, Spare spare) {
    this.retention = retention;
    this.spare = spare;
    thread.scheduleWithFixedDelay(this::keep, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  private void keep() {
    try {
      retention.sweep(System.currentTimeMillis());
      spare.prepare();
    } catch (RuntimeException e) {
      LOG.error("the Log could not be tended; it is tried again", e);
    }
  }

  @Override
  public void close() {
    spare.close();
    thread.shutdown();
    try {
      thread.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
