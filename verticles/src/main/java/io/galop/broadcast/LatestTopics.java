package io.galop.broadcast;

import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The latest record of each topic of one shard, in the order of their Positions: a browser that
 * gets them in this order and breaks off may come back with the last Position it saw. Bounded; the
 * topic that has not changed for longest goes first.
 */
final class LatestTopics {
  private final Map<String, Entry> topics = new LinkedHashMap<>();
  private final int maxTopics;
  private boolean hasForgotten;

  LatestTopics(int maxTopics) {
    this.maxTopics = maxTopics;
  }

  /** Takes a record that is after all others of its topic. */
  void put(Entry entry) {
    entry.becomesLatest(topics.remove(entry.topic()));
    topics.put(entry.topic(), entry);
    if (topics.size() > maxTopics) {
      hasForgotten = true;
      Iterator<Entry> oldest = topics.values().iterator();
      oldest.next().forgotten();
      oldest.remove();
    }
  }

  /** Forgets a topic, as if there were no place for it. */
  void forget(String topic) {
    Entry entry = topics.remove(topic);
    if (entry != null) {
      entry.forgotten();
      hasForgotten = true;
    }
  }

  /** Whether it is certain that the shard never had a topic that a filter means. */
  boolean hasNone(TopicFilter filter) {
    if (hasForgotten) {
      return false;
    }
    return filter.isExact()
        ? !topics.containsKey(filter.toString())
        : topics.keySet().stream().noneMatch(filter::matches);
  }

  /** The owner does not know all topics either. */
  void forgot() {
    hasForgotten = true;
  }

  /** Whether there are topics that are not here. */
  boolean hasForgotten() {
    return hasForgotten;
  }

  /** Whether topics that a filter means may be missing. */
  boolean isPartial(TopicFilter filter) {
    return hasForgotten && !(filter.isExact() && topics.containsKey(filter.toString()));
  }

  void clear() {
    topics.values().forEach(Entry::forgotten);
    topics.clear();
    hasForgotten = false;
  }

  int size() {
    return topics.size();
  }

  List<Entry> all() {
    return new ArrayList<>(topics.values());
  }

  /** Adds the records whose topics a filter means. */
  void addMatching(TopicFilter filter, List<Entry> to) {
    if (filter.isExact()) {
      Entry entry = topics.get(filter.toString());
      if (entry != null) {
        to.add(entry);
      }
      return;
    }
    for (Entry entry : topics.values()) {
      if (filter.matches(entry.topic())) {
        to.add(entry);
      }
    }
  }
}
