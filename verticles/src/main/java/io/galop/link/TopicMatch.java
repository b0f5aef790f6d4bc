package io.galop.link;

import io.galop.record.TopicFilter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether any of some filters means a topic. What was found is remembered, since topics come again.
 * On one event loop.
 */
final class TopicMatch {
  /** Beyond it what was found is forgotten and found again: costs time, never correctness. */
  private static final int MOST_REMEMBERED = 50_000;

  private final Set<String> exact = new HashSet<>();
  private final List<TopicFilter> wild;
  private final Map<String, Boolean> remembered = new HashMap<>();

  TopicMatch(List<TopicFilter> filters) {
    filters.stream().filter(TopicFilter::isExact).forEach(one -> exact.add(one.toString()));
    this.wild = filters.stream().filter(one -> !one.isExact()).distinct().toList();
  }

  boolean matches(String topic) {
    if (exact.contains(topic)) {
      return true;
    }
    if (wild.isEmpty()) {
      return false;
    }
    Boolean known = remembered.get(topic);
    if (known == null) {
      known = wild.stream().anyMatch(filter -> filter.matches(topic));
      if (remembered.size() >= MOST_REMEMBERED) {
        remembered.clear();
      }
      remembered.put(topic, known);
    }
    return known;
  }
}
