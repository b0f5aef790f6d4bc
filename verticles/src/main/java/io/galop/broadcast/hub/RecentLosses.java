package io.galop.broadcast.hub;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Viewers of a node to whom something happened in the last five minutes, each once, the last
 * hundred of them. Safe to call from any thread.
 */
public final class RecentLosses {
  /** So many are remembered: who is told of so many does not know of more. */
  public static final int MOST = 100;

  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(5);

  private record Lost(ViewerLoss loss, long atNanos) {}

  /** By the viewer, the latest last. */
  private final Map<String, Lost> last = new LinkedHashMap<>();

  /** One more. */
  void add(ViewerLoss loss) {
    add(loss, System.nanoTime());
  }

  synchronized void add(ViewerLoss loss, long nowNanos) {
    Lost before = last.remove(loss.viewer());
    if (last.size() >= MOST) {
      last.remove(last.keySet().iterator().next());
    }
    last.put(loss.viewer(), new Lost(before == null ? loss : before.loss.with(loss), nowNanos));
  }

  /** The last ones, the latest first. */
  public List<ViewerLoss> now() {
    return now(System.nanoTime());
  }

  synchronized List<ViewerLoss> now(long nowNanos) {
    last.values().removeIf(one -> nowNanos - one.atNanos > KEPT_NANOS);
    List<ViewerLoss> all = new ArrayList<>(last.values().stream().map(Lost::loss).toList());
    Collections.reverse(all);
    return all;
  }
}
