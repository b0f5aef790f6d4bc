package io.galop.enrich;

import io.micrometer.core.instrument.Counter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** State by topic, bounded: what was not used for the longest is forgotten, and counted. */
final class RecentTopics<S> {
  private final Map<String, S> states;
  private final Supplier<S> first;

  RecentTopics(int maxTopics, Supplier<S> first, Counter forgotten) {
    this.first = first;
    this.states = new Bounded<>(maxTopics, forgotten);
  }

  S of(String topic) {
    S state = states.get(topic);
    if (state == null) {
      state = first.get();
      states.put(topic, state);
    }
    return state;
  }

  private static final class Bounded<S> extends LinkedHashMap<String, S> {
    private static final long serialVersionUID = 1L;
    private final int max;
    private final transient Counter forgotten;

    Bounded(int max, Counter forgotten) {
      super(64, 0.75f, true);
      this.max = max;
      this.forgotten = forgotten;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, S> eldest) {
      if (size() <= max) {
        return false;
      }
      forgotten.increment();
      return true;
    }
  }
}
