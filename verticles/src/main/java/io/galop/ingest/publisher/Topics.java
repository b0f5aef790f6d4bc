package io.galop.ingest.publisher;

import io.galop.record.TopicFilter;
import java.util.List;

/**
 * Which topics a publisher may publish to. What was decided of a topic is kept: one takes the place
 * of another that falls on the same slot. Immutable as far as anybody can tell.
 */
final class Topics {
  private record Verdict(String topic, boolean allowed) {}

  private static final int SLOTS = 1 << 10;

  private final List<TopicFilter> filters;

  /** Written by all event loops without a lock: each element is immutable, and any is right. */
  private final Verdict[] slots;

  Topics(List<String> filters) {
    this.filters =
        filters.stream().map(filter -> TopicFilter.parse(filter, Integer.MAX_VALUE)).toList();
    this.slots = new Verdict[filters.isEmpty() ? 0 : SLOTS];
  }

  boolean allow(String topic) {
    if (filters.isEmpty()) {
      return true;
    }
    int hash = topic.hashCode();
    int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
    Verdict verdict = slots[slot];
    if (verdict == null || !verdict.topic.equals(topic)) {
      verdict = new Verdict(topic, filters.stream().anyMatch(filter -> filter.matches(topic)));
      slots[slot] = verdict;
    }
    return verdict.allowed;
  }
}
