package io.galop.broadcast.hub;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The viewers of a node that had to miss something in the last five minutes, the last hundred of
 * them by name. Safe to call from any thread.
 */
public final class RecentLosses {
  static final int MOST = 100;
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(5);

  private record Lost(ViewerLoss loss, long atNanos) {}

  private final Deque<Lost> last = new ArrayDeque<>();

  /** One more. */
  void add(ViewerLoss loss) {
    add(loss, System.nanoTime());
  }

  synchronized void add(ViewerLoss loss, long nowNanos) {
    if (last.size() >= MOST) {
      last.removeFirst();
    }
    last.addLast(new Lost(loss, nowNanos));
  }

  /** The last ones, the latest first. */
  public List<ViewerLoss> now() {
    return now(System.nanoTime());
  }

  synchronized List<ViewerLoss> now(long nowNanos) {
    last.removeIf(one -> nowNanos - one.atNanos > KEPT_NANOS);
    List<ViewerLoss> all = new ArrayList<>(last.stream().map(Lost::loss).toList());
    Collections.reverse(all);
    return all;
  }
}
