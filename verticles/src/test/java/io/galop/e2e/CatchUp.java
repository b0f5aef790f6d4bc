package io.galop.e2e;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** How stores catch up after a trouble, while records go on coming. Begins when it is made. */
final class CatchUp {
  private final GalopProcess node;
  private final Map<String, Lag> lags;
  private final Map<String, Long> beganNs = new HashMap<>();
  private final Map<String, Long> endedNs = new HashMap<>();
  private final Map<String, Long> stored = new HashMap<>();
  private final long startNs = System.nanoTime();

  /**
   * What is awaited.
   *
   * @param lags of the stores when their trouble ended
   */
  CatchUp(GalopProcess node, Map<String, Lag> lags) {
    this.node = node;
    this.lags = lags;
  }

  /** Waits until each is no more than a second behind. */
  void await(int seconds, long perSecond) {
    try {
      Await.until("the stores catch up: " + lags, seconds, () -> look(perSecond));
    } catch (AssertionError e) {
      throw new AssertionError("have caught up: " + endedNs.keySet() + ", began: " + beganNs, e);
    }
  }

  private boolean look(long perSecond) throws IOException, InterruptedException {
    for (Map.Entry<String, Lag> each : lags.entrySet()) {
      String store = each.getKey();
      Lag now = Lag.of(node, store);
      if (now.stored() > each.getValue().stored()) {
        beganNs.putIfAbsent(store, System.nanoTime());
      }
      if (beganNs.containsKey(store) && now.records() <= perSecond && !endedNs.containsKey(store)) {
        endedNs.put(store, System.nanoTime());
        stored.put(store, now.stored() - each.getValue().stored());
      }
    }
    return endedNs.keySet().equals(lags.keySet());
  }

  /** About how many records the store was behind when its trouble ended. */
  long behind(String store) {
    return lags.get(store).records();
  }

  /** How long it took until the first was stored. */
  double beganSeconds(String store) {
    return (beganNs.get(store) - startNs) / 1e9;
  }

  /** How long it took from the trouble's end until the store was no more than a second behind. */
  double tookSeconds(String store) {
    return (endedNs.get(store) - startNs) / 1e9;
  }

  /** At which rate it stored from then on. */
  double perSecond(String store) {
    return stored.get(store) / Math.max(0.05, tookSeconds(store));
  }
}
