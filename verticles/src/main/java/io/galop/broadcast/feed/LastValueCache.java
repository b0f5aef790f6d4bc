package io.galop.broadcast.feed;

import io.galop.broadcast.ring.Entry;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  /** What one of so many shards may keep. */
  static LastValueCache ofShard(BroadcastConfig config, int shards) {
    int maxTopics = Math.max(1, config.latestMaxTopics() / shards);
    return new LastValueCache(maxTopics, config.latestMaxBytes() / shards);
  }

  /**
   * Takes what an owner has of some topics: nothing of them that is older is kept.
   *
   * @param filters which topics
   * @param last what is newer comes by itself
   */
  void put(List<TopicFilter> filters, ShardLoad.Loaded loaded, Position last) {
    Set<String> known = new HashSet<>();
    loaded.entries().forEach(entry -> known.add(entry.topic()));
    List<Entry> old = new ArrayList<>();
    filters.forEach(filter -> addMatching(filter, old));
    old.stream()
        .filter(entry -> !known.contains(entry.topic()))
        .filter(entry -> entry.position().compareTo(loaded.head()) <= 0)
        .forEach(entry -> remove(entry.topic()));
    Map<String, Entry> newest = new HashMap<>(topics);
    loaded.entries().stream()
        .filter(entry -> entry.position().compareTo(last) <= 0)
        .forEach(entry -> newest.merge(entry.topic(), entry, LastValueCache::newer));
    List<Entry> all = new ArrayList<>(newest.values());
    all.sort(Comparator.comparing(Entry::position));
    all.forEach(this::putAgain);
  }

  private static Entry newer(Entry a, Entry b) {
    return a.position().compareTo(b.position()) < 0 ? b : a;
  }

  private void putAgain(Entry entry) {
    if (topics.get(entry.topic()) == entry) {
      topics.remove(entry.topic());
      topics.put(entry.topic(), entry);
    } else {
      put(entry);
    }
  }

  private boolean remove(String topic) {
    Entry entry = topics.remove(topic);
    if (entry != null) {
      bytes -= cost(entry);
      entry.forgotten();
    }
    return entry != null;
  }

  /** The latest record of a topic; null if none is kept. */
  @Nullable Entry of(String topic) {
    return topics.get(topic);
  }

  /** Forgets a topic, as if there were no place for it. */
  void forget(String topic) {
    hasForgotten |= remove(topic);
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
