package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.write.Tally;
import io.galop.config.broadcast.WhereConfig;
import io.galop.expression.RecordFilter;
import io.galop.json.JsonOmit;
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
  private final Deltas deltas;
  private final Map<String, FilterGroup> groups = new HashMap<>();

  /** By what is left out. */
  private final Map<JsonOmit, ViewText> texts = new HashMap<>();

  private final Conditions conditions;

  private final FilterTree wildcards = new FilterTree();

  /** Made anew when filters with wildcards change: cheaper than to clear it while it is large. */
  private Map<String, List<FilterGroup>> remembered = new HashMap<>();

  FilterIndex(int shards, Ring ring, Tally tally, WhereConfig limits, BroadcastMeters meters) {
    this(shards, new Deltas(ring, tally), new Conditions(limits, meters, System::nanoTime));
  }

  FilterIndex(int shards, Deltas deltas, Conditions conditions) {
    this.shards = shards;
    this.deltas = deltas;
    this.conditions = conditions;
  }

  /**
   * @param selection what its viewers are sent
   */
  FilterGroup groupOf(TopicFilter filter, Selection selection) {
    FilterGroup known = groups.get(filter.toString());
    FilterGroup whole = known != null ? known : add(new FilterGroup(filter, shards, deltas));
    if (selection.isAll()) {
      return whole;
    }
    FilterGroup part = whole.part(selection);
    return part != null ? part : addPart(whole, selection);
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

  private FilterGroup addPart(FilterGroup whole, Selection selection) {
    forget(whole.filter());
    JsonOmit cut = selection.cut().orElse(null);
    ViewText text = cut == null ? null : texts.computeIfAbsent(cut, ViewText::new).use();
    RecordFilter where = selection.where().orElse(null);
    RecordCondition condition = where == null ? null : conditions.use(where, selection.omit());
    return whole.addPart(selection, text, condition);
  }

  /** The registration has left its group. */
  void removeIfEmpty(TopicFilter filter, Selection selection) {
    FilterGroup whole = groups.get(filter.toString());
    if (whole == null) {
      return;
    }
    FilterGroup part = whole.part(selection);
    if (part != null && part.isEmpty()) {
      removePart(whole, selection);
    }
    if (whole.isEmpty()) {
      whole.end();
      groups.remove(filter.toString());
      if (!filter.isExact()) {
        wildcards.remove(filter);
      }
      forget(filter);
    }
  }

  private void removePart(FilterGroup whole, Selection selection) {
    whole.removePart(selection);
    selection
        .cut()
        .ifPresent(cut -> texts.computeIfPresent(cut, (key, text) -> text.letGo() ? null : text));
    selection.where().ifPresent(where -> conditions.letGo(where, selection.omit()));
    forget(whole.filter());
  }

  /** Why a selection may not be had now, in a sentence; empty: it may. */
  String refusal(Selection selection) {
    boolean isNew =
        selection.fields().isPresent() && selection.cut().filter(texts::containsKey).isEmpty();
    return isNew && texts.size() >= conditions.most()
        ? "there are as many choices of fields as broadcast.where.maxConditions allows"
        : conditions.refusal(selection);
  }

  /** The registrations whose condition has come to cost too much since this was asked last. */
  List<Registration> takeCostly() {
    if (!conditions.takeCostly()) {
      return List.of();
    }
    List<Registration> costly = new ArrayList<>();
    groups.values().forEach(group -> group.addCostlyTo(costly));
    return costly;
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

  /** The groups of all filters that mean some topic which this one means too. */
  List<FilterGroup> overlapping(TopicFilter asked) {
    if (asked.isExact()) {
      return matching(asked.toString());
    }
    List<FilterGroup> found = new ArrayList<>();
    groups.values().stream()
        .filter(group -> group.filter().overlaps(asked))
        .forEach(group -> group.addAllTo(found));
    return found;
  }

  /** How many of some shards a filter touches. */
  int count(FilterGroup group, BitSet someShards) {
    return (int) someShards.stream().filter(group::touches).count();
  }
}
