package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.json.JsonString;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All registrations of one filter and view on one event loop; a record's frame is made once for
 * them. The group of those that see all holds the groups of those that see a part.
 */
final class FilterGroup {
  /** So many that what they consist of stays in the caches until it is needed. */
  private static final int LOOKED_AT_TOGETHER = 16;

  private final TopicFilter filter;
  private final int onlyShard;
  private final Frame.Opening opening;
  private final List<Registration> registrations = new ArrayList<>();

  /** What its viewers see of a record; null: all of it. */
  private final @Nullable ViewText text;

  /** By what they leave out; of a group that shows a part, none. */
  private Map<Set<String>, FilterGroup> parts = Map.of();

  /** Of which record the frame was made last; null before the first. */
  private @Nullable Entry encoded;

  private @Nullable Frame frame;

  /** Only so that looking is not optimized away. */
  private long seen;

  FilterGroup(TopicFilter filter, int shards) {
    this.filter = filter;
    this.onlyShard = filter.isExact() ? Topic.shard(filter.toString(), shards) : -1;
    this.text = null;
    this.opening =
        new Frame.Opening(
            "{\"type\":\"rec\",\"address\":" + JsonString.quoted(filter.toString()) + ",\"body\":");
  }

  private FilterGroup(FilterGroup whole, ViewText text) {
    this.filter = whole.filter;
    this.onlyShard = whole.onlyShard;
    this.opening = whole.opening;
    this.text = text;
  }

  /** The group of those who see the record without some fields; null if there is none. */
  @Nullable FilterGroup part(Set<String> omit) {
    return parts.get(omit);
  }

  FilterGroup addPart(Set<String> omit, ViewText without) {
    FilterGroup part = new FilterGroup(this, without);
    parts = new HashMap<>(parts);
    parts.put(omit, part);
    return part;
  }

  void removePart(Set<String> omit) {
    parts.remove(omit);
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

  /** The record as the filter's Subscribers are sent it. */
  Frame frame(Entry entry) {
    Frame made = frame;
    if (made == null || encoded != entry) {
      made =
          entry.isRecord()
              ? Frame.ofRecord(opening, text(entry))
              : ControlFrames.about(filter, entry);
      frame = made;
      encoded = entry;
    }
    return made;
  }

  /** A record from before the present, with its age. */
  Frame past(Entry entry, boolean isStale) {
    return Frame.ofRecord(opening, entry.aged(text(entry), isStale));
  }

  private byte[] text(Entry entry) {
    return text == null ? entry.remainder() : text.of(entry);
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
    registration.place(registrations.size());
    registrations.add(registration);
  }

  void remove(Registration registration) {
    Registration last = registrations.remove(registrations.size() - 1);
    if (last != registration) {
      registrations.set(registration.place(), last);
      last.place(registration.place());
    }
  }

  /** Whether nobody is in it, nor in a group that shows a part. */
  boolean isEmpty() {
    return registrations.isEmpty() && parts.isEmpty();
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
