package io.galop.broadcast.hub;

import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the filters that mean a topic; what was found is remembered, since topics come again. */
final class FilterIndex {
  /** Beyond it what was found is forgotten and found again: costs time, never correctness. */
  private static final int MAX_REMEMBERED = 100_000;

  private final int shards;
  private final Map<String, FilterGroup> groups = new HashMap<>();

  /** By what is left out. */
  private final Map<Set<String>, ViewText> texts = new HashMap<>();

  private final FilterTree wildcards = new FilterTree();

  /** Made anew when filters with wildcards change: cheaper than to clear it while it is large. */
  private Map<String, List<FilterGroup>> remembered = new HashMap<>();

  FilterIndex(int shards) {
    this.shards = shards;
  }

  /**
   * @param omit the fields that its viewers do not see
   */
  FilterGroup groupOf(TopicFilter filter, Set<String> omit) {
    FilterGroup known = groups.get(filter.toString());
    FilterGroup whole = known != null ? known : add(new FilterGroup(filter, shards));
    if (omit.isEmpty()) {
      return whole;
    }
    FilterGroup part = whole.part(omit);
    return part != null ? part : addPart(whole, omit);
  }

  private FilterGroup add(FilterGroup group) {
    TopicFilter filter = group.filter();
    groups.put(filter.toString(), group);
    if (!filter.isExact()) {
      wildcards.add(group);
    }
    forget(filter);
    return group;
  }

  private FilterGroup addPart(FilterGroup whole, Set<String> omit) {
    forget(whole.filter());
    return whole.addPart(omit, texts.computeIfAbsent(omit, ViewText::new).use());
  }

  /** The registration has left its group. */
  void removeIfEmpty(TopicFilter filter, Set<String> omit) {
    FilterGroup whole = groups.get(filter.toString());
    if (whole == null) {
      return;
    }
    FilterGroup part = whole.part(omit);
    if (part != null && part.isEmpty()) {
      whole.removePart(omit);
      texts.computeIfPresent(omit, (key, text) -> text.letGo() ? null : text);
      forget(filter);
    }
    if (whole.isEmpty()) {
      groups.remove(filter.toString());
      if (!filter.isExact()) {
        wildcards.remove(filter);
      }
      forget(filter);
    }
  }

  private void forget(TopicFilter filter) {
    if (filter.isExact()) {
      remembered.remove(filter.toString());
    } else {
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
    List<FilterGroup> whole = new ArrayList<>();
    FilterGroup exact = groups.get(topic);
    if (exact != null) {
      whole.add(exact);
    }
    wildcards.find(topic, whole);
    whole.forEach(group -> group.addAllTo(found));
    if (remembered.size() >= MAX_REMEMBERED) {
      forget();
    }
    remembered.put(topic, List.copyOf(found));
    return found;
  }

  /** The filters that may mean topics of a shard. */
  List<FilterGroup> touching(int shard) {
    List<FilterGroup> found = new ArrayList<>();
    groups.values().stream()
        .filter(group -> group.touches(shard))
        .forEach(group -> group.addAllTo(found));
    return found;
  }

  /** How many of some shards a filter touches. */
  int count(FilterGroup group, BitSet someShards) {
    return (int) someShards.stream().filter(group::touches).count();
  }
}
