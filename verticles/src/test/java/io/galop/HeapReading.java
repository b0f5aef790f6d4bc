package io.galop;

import java.lang.management.ManagementFactory;

/** The bytes of the heap that are reachable, in a JVM in which other tests have run. Any thread. */
public final class HeapReading {
  private static final long SETTLED_BYTES = 64 * 1024;
  private static final int MOST_READINGS = 40;
  private static final long PAUSE_MS = 100;

  private HeapReading() {}

  /**
   * Collects until two readings in a row agree. What earlier tests have left goes little by little:
   * weak and soft references, cleaners and compilers let go of it one collection after the other.
   */
  public static long settledBytes() throws InterruptedException {
    long before = collectedBytes();
    for (int i = 0; i < MOST_READINGS; i++) {
      Thread.sleep(PAUSE_MS);
      long now = collectedBytes();
      if (Math.abs(before - now) < SETTLED_BYTES) {
        return now;
      }
      before = now;
    }
    return before;
  }

  private static long collectedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
