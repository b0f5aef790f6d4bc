package io.galop.broadcast.hub;

import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the filters that mean a topic; what was found is remembered, since topics come again. */
final class FilterIndex {
  /** Beyond it what was found is forgotten and found again: costs time, never correctness. */
  private static final int MAX_REMEMBERED = 100_000;

  private final int shards;
  private final Map<String, FilterGroup> groups = new HashMap<>();
  private final FilterTree wildcards = new FilterTree();

  /** Made anew when filters with wildcards change: cheaper than to clear it while it is large. */
  private Map<String, List<FilterGroup>> remembered = new HashMap<>();

  FilterIndex(int shards) {
    this.shards = shards;
  }

  FilterGroup groupOf(TopicFilter filter) {
    FilterGroup group = groups.get(filter.toString());
    return group != null ? group : add(new FilterGroup(filter, shards));
  }

  private FilterGroup add(FilterGroup group) {
    TopicFilter filter = group.filter();
    groups.put(filter.toString(), group);
    if (filter.isExact()) {
      remembered.remove(filter.toString());
    } else {
      wildcards.add(group);
      forget();
    }
    return group;
  }

  void removeIfEmpty(FilterGroup group) {
    if (!group.isEmpty()) {
      return;
    }
    TopicFilter filter = group.filter();
    groups.remove(filter.toString());
    if (filter.isExact()) {
      remembered.remove(filter.toString());
    } else {
      wildcards.remove(filter);
      forget();
    }
  }

  private void forget() {
    if (!remembered.isEmpty()) {
      remembered = new HashMap<>();
    }
  }

  List<FilterGroup> matching(String topic) {
    List<FilterGroup> found = remembered.get(topic);
    return found != null ? found : find(topic);
  }

  private List<FilterGroup> find(String topic) {
    List<FilterGroup> found = new ArrayList<>();
    FilterGroup exact = groups.get(topic);
    if (exact != null) {
      found.add(exact);
    }
    wildcards.find(topic, found);
    if (remembered.size() >= MAX_REMEMBERED) {
      forget();
    }
    remembered.put(topic, List.copyOf(found));
    return found;
  }

  /** The filters that may mean topics of a shard. */
  List<FilterGroup> touching(int shard) {
    return groups.values().stream().filter(group -> group.touches(shard)).toList();
  }

  /** How many of some shards a filter touches. */
  int count(FilterGroup group, BitSet someShards) {
    return (int) someShards.stream().filter(group::touches).count();
  }
}
