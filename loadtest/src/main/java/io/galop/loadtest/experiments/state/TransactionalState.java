package io.galop.loadtest.experiments.state;

import clojure.lang.LockingTransaction;
import clojure.lang.Ref;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Every thread may change every topic, in a transaction in memory for each record. */
final class TransactionalState implements State {
  private final Map<String, Ref> windows = new ConcurrentHashMap<>();

  @Override
  public void take(String[] topics, double[] prices, int count) {
    for (int i = 0; i < count; i++) {
      Ref ref = windows.computeIfAbsent(topics[i], topic -> new Ref(PriceWindow.EMPTY));
      double price = prices[i];
      try {
        LockingTransaction.runInTransaction(() -> ref.set(((PriceWindow) ref.deref()).with(price)));
      } catch (Exception e) {
        throw new IllegalStateException("a transaction failed", e);
      }
    }
  }

  @Override
  public @Nullable PriceWindow window(String topic) {
    Ref ref = windows.get(topic);
    return ref == null ? null : (PriceWindow) ref.deref();
  }
}
