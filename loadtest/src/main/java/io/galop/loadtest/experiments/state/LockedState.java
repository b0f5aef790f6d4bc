package io.galop.loadtest.experiments.state;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Every thread may change every topic, under that topic's lock. */
final class LockedState implements State {
  /** A window that is guarded by its own lock. */
  private static final class Guarded {
    private PriceWindow window = PriceWindow.EMPTY;
  }

  private final Map<String, Guarded> windows = new ConcurrentHashMap<>();

  @Override
  public void take(String[] topics, double[] prices, int count) {
    for (int i = 0; i < count; i++) {
      Guarded guarded = windows.computeIfAbsent(topics[i], topic -> new Guarded());
      synchronized (guarded) {
        guarded.window = guarded.window.with(prices[i]);
      }
    }
  }

  @Override
  public @Nullable PriceWindow window(String topic) {
    Guarded guarded = windows.get(topic);
    return guarded == null ? null : guarded.window;
  }
}
