package io.galop.bus;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What keeps a node from being ready, by the name of the part that says so. A part names itself
 * when it is built and clears itself when it can do its work. Safe to call from any thread.
 */
public final class Readiness {
  private static final long LOOK_MS = 5;
  private final Map<String, String> reasons = new ConcurrentHashMap<>();
  private final Map<String, String> warnings = new ConcurrentHashMap<>();
  private final List<Runnable> drains = new CopyOnWriteArrayList<>();

  /** The part cannot do its work, and why. */
  public void unready(String part, String reason) {
    reasons.put(part, reason);
  }

  /** The part can do its work. */
  public void ready(String part) {
    reasons.remove(part);
  }

  /** The part does its work, but not all of it, and why; the node stays ready. */
  public void warn(String part, String reason) {
    warnings.put(part, reason);
  }

  /** There is nothing to warn of any more. */
  public void calm(String part) {
    warnings.remove(part);
  }

  /** Part → reason of all that are ready and do not do all of their work. */
  public Map<String, String> warnings() {
    return new TreeMap<>(warnings);
  }

  /** A part that sends its clients to other nodes when it is asked to. */
  public void onDrain(Runnable drain) {
    drains.add(drain);
  }

  /** Asks all parts to send their clients to other nodes, for good. */
  public void drain() {
    drains.forEach(Runnable::run);
  }

  /** Whether every part can do its work. */
  public boolean isReady() {
    return reasons.isEmpty();
  }

  /** Waits until a part can do its work, or so long; blocks. */
  public void await(String part, long ms) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (reasons.containsKey(part) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
    }
  }

  /** Part → reason of all that are not ready. */
  public Map<String, String> reasons() {
    return new TreeMap<>(reasons);
  }
}
