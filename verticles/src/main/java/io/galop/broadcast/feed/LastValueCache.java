package io.galop.broadcast.feed;

import io.galop.broadcast.ring.Entry;
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
public final class LastValueCache {
  /** The map's own, about. */
  private static final int MAP_BYTES = 96;

  private final Map<String, Entry> topics = new LinkedHashMap<>();
  private final int maxTopics;
  private final long maxBytes;
  private long bytes;
  private boolean hasForgotten;

  LastValueCache(int maxTopics, long maxBytes) {
    this.maxTopics = maxTopics;
    this.maxBytes = maxBytes;
  }

  /** Takes a record that is after all others of its topic. */
  void put(Entry entry) {
    Entry before = topics.remove(entry.topic());
    bytes += cost(entry) - (before == null ? 0 : cost(before));
    entry.becomesLatest(before);
    topics.put(entry.topic(), entry);
    while (topics.size() > maxTopics || bytes > maxBytes && topics.size() > 1) {
      hasForgotten = true;
      Iterator<Entry> oldest = topics.values().iterator();
      Entry gone = oldest.next();
      gone.forgotten();
      bytes -= cost(gone);
      oldest.remove();
    }
  }

  private static int cost(Entry entry) {
    return MAP_BYTES + entry.cost();
  }

  /** Forgets a topic, as if there were no place for it. */
  void forget(String topic) {
    Entry entry = topics.remove(topic);
    if (entry != null) {
      bytes -= cost(entry);
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
    bytes = 0;
    hasForgotten = false;
  }

  /** About how many bytes of memory the records take. */
  long bytes() {
    return bytes;
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
