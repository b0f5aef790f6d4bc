package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.record.JsonString;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** All registrations of one filter on one event loop; a record's frame is made once for them. */
final class FilterGroup {
  /** So many that what they consist of stays in the caches until it is needed. */
  private static final int LOOKED_AT_TOGETHER = 16;

  private final TopicFilter filter;
  private final int onlyShard;
  private final Frame.Opening opening;
  private final List<Registration> registrations = new ArrayList<>();
  private Entry encoded;
  private Frame frame;

  /** Only so that looking is not optimized away. */
  private long seen;

  FilterGroup(TopicFilter filter, int shards) {
    this.filter = filter;
    this.onlyShard = filter.isExact() ? Topic.shard(filter.toString(), shards) : -1;
    this.opening =
        new Frame.Opening(
            "{\"type\":\"rec\",\"address\":" + JsonString.quoted(filter.toString()) + ",\"body\":");
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
    if (encoded != entry) {
      frame =
          entry.isRecord()
              ? Frame.ofRecord(opening, entry.remainder())
              : ControlFrames.about(filter, entry);
      encoded = entry;
    }
    return frame;
  }

  /** A record from before the present, with its age. */
  Frame past(Entry entry, boolean isStale) {
    return Frame.ofRecord(opening, entry.agedRemainder(isStale));
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

  boolean isEmpty() {
    return registrations.isEmpty();
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
