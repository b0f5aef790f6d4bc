package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All registrations of one filter and selection on one event loop; a record's frame is made once
 * for them. The group of those that are sent all holds the groups of those that are sent a part.
 */
final class FilterGroup {
  /** So many that what they consist of stays in the caches until it is needed. */
  private static final int LOOKED_AT_TOGETHER = 16;

  private final TopicFilter filter;
  private final int onlyShard;
  private final FilterText text;
  private final Deltas deltas;
  private final List<Registration> registrations = new ArrayList<>();

  /** How many of them want the newest value of each topic only. */
  private int conflating;

  /** What is true of the records that its registrations are sent; null: they are sent all. */
  private final @Nullable RecordCondition condition;

  /** By what they select; of a group that shows a part, none. */
  private Map<Selection, FilterGroup> parts = Map.of();

  /** For those that take deltas; null while there are none. */
  private @Nullable GroupDeltas ownDeltas;

  /** Only so that looking is not optimized away. */
  private long seen;

  FilterGroup(TopicFilter filter, int shards, Deltas deltas) {
    this.filter = filter;
    this.deltas = deltas;
    this.onlyShard = filter.isExact() ? Topic.shard(filter.toString(), shards) : -1;
    this.text = new FilterText(filter);
    this.condition = null;
  }

  private FilterGroup(FilterGroup whole, FilterText text, @Nullable RecordCondition condition) {
    this.filter = whole.filter;
    this.onlyShard = whole.onlyShard;
    this.deltas = whole.deltas;
    this.text = text;
    this.condition = condition;
  }

  /** The group of those who select some records, or some fields; null if there is none. */
  @Nullable FilterGroup part(Selection selection) {
    return parts.get(selection);
  }

  /**
   * Adds a group of those who select something.
   *
   * @param view what they see of a record; null: all of it
   * @param where of which records; null: of all
   */
  FilterGroup addPart(
      Selection selection, @Nullable ViewText view, @Nullable RecordCondition where) {
    FilterGroup part = new FilterGroup(this, view == null ? text : textOf(view), where);
    parts = new HashMap<>(parts);
    parts.put(selection, part);
    return part;
  }

  private FilterText textOf(ViewText view) {
    return parts.values().stream()
        .map(part -> part.text)
        .filter(known -> known.isOf(view))
        .findAny()
        .orElseGet(() -> text.of(view));
  }

  void removePart(Selection selection) {
    parts.remove(selection);
  }

  /** Itself, and the groups of those who see a part. */
  void addAllTo(List<FilterGroup> groups) {
    groups.add(this);
    groups.addAll(parts.values());
  }

  TopicFilter filter() {
    return filter;
  }

  /** Whether records of a shard may be meant by the filter. */
  boolean touches(int shard) {
    return onlyShard < 0 || onlyShard == shard;
  }

  /** Whether its registrations are sent a record. */
  boolean passes(Entry entry) {
    return condition == null || condition.passes(entry);
  }

  /** The record as one of the registrations is sent it in its turn. */
  Frame frame(Registration registration, Entry entry) {
    GroupDeltas own = registration.takesDeltas() ? ownDeltas : null;
    Frame made = own == null ? null : own.frame(entry, registration.unbrokenFrom());
    return made == null ? frame(entry) : made;
  }

  /** The record as the filter's Subscribers are sent it. */
  Frame frame(Entry entry) {
    return text.frame(entry);
  }

  /** A record from before the present, with its age. */
  Frame past(Entry entry, boolean isStale) {
    return text.past(entry, isStale);
  }

  /** Adds the registrations whose condition costs too much to others. */
  void addCostlyTo(List<Registration> costly) {
    parts.values().stream()
        .filter(part -> part.condition != null && part.condition.isCostly())
        .forEach(part -> costly.addAll(part.registrations));
  }

  /** One of all registrations of some groups, each as likely as another; null if there is none. */
  static @Nullable Registration any(List<FilterGroup> groups) {
    int all = 0;
    for (FilterGroup group : groups) {
      all += group.registrations.size();
    }
    int any = all == 0 ? 0 : ThreadLocalRandom.current().nextInt(all);
    for (FilterGroup group : groups) {
      if (any < group.registrations.size()) {
        return group.registrations.get(any);
      }
      any -= group.registrations.size();
    }
    return null;
  }

  void add(Registration registration) {
    if (registration.takesDeltas() && ownDeltas == null) {
      ownDeltas = new GroupDeltas(deltas, FilterText.begin(filter));
    }
    registration.place(registrations.size());
    registrations.add(registration);
    conflating += registration.isConflating() ? 1 : 0;
  }

  void remove(Registration registration) {
    Registration last = registrations.remove(registrations.size() - 1);
    if (last != registration) {
      registrations.set(registration.place(), last);
      last.place(registration.place());
    }
    conflating -= registration.isConflating() ? 1 : 0;
  }

  /** How many there are, those of groups that are sent a part not included. */
  int size() {
    return registrations.size();
  }

  /** Adds who has them, those of groups that are sent a part not included. */
  void addReceiversTo(Collection<RecordReceiver> receivers) {
    for (int i = 0; i < registrations.size(); i++) {
      receivers.add(registrations.get(i).receiver());
    }
  }

  /** So many more of them, or fewer, want the newest value of each topic only. */
  void conflating(int more) {
    conflating += more;
  }

  /** How many of them want the newest value of each topic only. */
  int conflating() {
    return conflating;
  }

  /** Whether nobody is in it, nor in a group that shows a part. */
  boolean isEmpty() {
    return registrations.isEmpty() && parts.isEmpty();
  }

  /** Nobody is in it any more. */
  void end() {
    if (ownDeltas != null) {
      ownDeltas.end();
    }
  }

  /** The action must not add or remove registrations. */
  void forEach(Consumer<Registration> action) {
    int next = 0;
    while (next < registrations.size()) {
      int soon = Math.min(registrations.size(), next + LOOKED_AT_TOGETHER);
      lookAt(next, soon);
      while (next < soon) {
        action.accept(registrations.get(next++));
      }
    }
  }

  /**
   * Brings what the registrations consist of into the caches, as the {@link
   * io.galop.broadcast.write.Pulse} does.
   */
  private void lookAt(int from, int to) {
    long all = 0;
    for (int i = from; i < to; i++) {
      all += registrations.get(i).look();
    }
    seen = all;
  }
}
