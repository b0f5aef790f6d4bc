package io.galop.e2e;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what another thread or process does. */
public final class Await {
  private static final long PAUSE_MS = 50;

  private Await() {}

  /** Asks again and again until the condition holds; fails after {@code seconds}. */
  public static void until(String what, int seconds, Callable<Boolean> condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!holds(condition)) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + seconds + " s: " + what);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static boolean holds(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (AssertionError e) {
      throw e;
    } catch (Exception e) {
      // Whoever is asked may not be up yet; the deadline ends it.
      return false;
    }
  }
}
