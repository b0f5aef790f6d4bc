package io.galop.persist.log;

import java.io.IOException;

/** Frees old segments and makes the next one ahead, on a thread beside the one that writes. */
final class Keeper implements AutoCloseable {
  private static final long PERIOD_MS = 100;
  private static final long LONGEST_CLOSE_MS = 10_000;
  private final Retention retention;
  private final Presence presence;
  private final Spare spare;
  private final KeeperLog log = KeeperLog.ofProcess();
  private final Thread thread = new Thread(this::run, "galop-log-keeper");

  Keeper(Retention retention, Presence presence, Spare spare) {
    this.retention = retention;
    this.presence = presence;
    this.spare = spare;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      do {
        keep();
      } while (spare.awaitNeed(PERIOD_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void keep() {
    try {
      retention.sweep();
      presence.look();
      spare.prepare();
    } catch (IOException | RuntimeException e) {
      log.failed(e, System.nanoTime());
    }
  }

  @Override
  public void close() {
    spare.close();
    try {
      thread.join(LONGEST_CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
