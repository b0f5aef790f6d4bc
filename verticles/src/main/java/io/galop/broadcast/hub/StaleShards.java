package io.galop.broadcast.hub;

import io.galop.broadcast.sockjs.Frame;
import io.galop.record.TopicFilter;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Of which shards the feed is cut off, as the registrations of one event loop are told. Who gets
 * records hears each change of its filter at once. Who still waits for a snapshot, or for what it
 * missed, hears that its filter is cut off, since its browser may show what it had before; and that
 * it is back only behind what it waits for.
 */
final class StaleShards {
  private final int shards;
  private final FilterIndex filters;
  private final BitSet stale = new BitSet();
  private final Set<Registration> waiting = new HashSet<>();

  /** All are cut off until it is known better. */
  StaleShards(int shards, FilterIndex filters) {
    this.shards = shards;
    this.filters = filters;
    stale.set(0, shards);
  }

  /** Which shards are cut off as the event loop begins to hear the feed. */
  void begin(BitSet now) {
    BitSet fresh = (BitSet) stale.clone();
    fresh.andNot(now);
    fresh.stream().forEach(shard -> change(shard, false));
  }

  /** A shard has become stale or fresh. */
  void change(int shard, boolean isStale) {
    BitSet before = (BitSet) stale.clone();
    stale.set(shard, isStale);
    for (FilterGroup group : filters.touching(shard)) {
      int was = filters.count(group, before);
      int is = filters.count(group, stale);
      if (was == 0 && is > 0) {
        tell(group, ControlFrames.stale(group.filter()));
      } else if (was > 0 && is == 0) {
        tell(group, ControlFrames.fresh(group.filter()));
      }
    }
    if (isStale) {
      List.copyOf(waiting).forEach(this::warnIfStale);
    }
  }

  private static void tell(FilterGroup group, Frame word) {
    group.forEach(each -> each.tell(word));
  }

  private boolean isStale(TopicFilter filter) {
    return Arrays.stream(filter.shards(shards)).anyMatch(stale::get);
  }

  /** The registration waits for its answer. */
  void await(Registration registration) {
    waiting.add(registration);
    warnIfStale(registration);
  }

  private void warnIfStale(Registration registration) {
    if (registration.hearsWords() && !registration.isWarned() && isStale(registration.filter())) {
      registration.warned(true);
      registration.tell(ControlFrames.stale(registration.filter()));
    }
  }

  /** The registrations that wait for their answer. */
  Set<Registration> waiting() {
    return waiting;
  }

  /** The registration gets its answer now, or none any more. */
  void forget(Registration registration) {
    waiting.remove(registration);
  }

  /** The registration gets records, and hears of changes with its group. */
  void enter(Registration registration) {
    forget(registration);
    warnIfStale(registration);
    registration.warned(registration.isWarned() && !isStale(registration.filter()));
  }

  /** What a registration has to be told behind its snapshot. */
  Optional<Frame> behindThePast(Registration registration) {
    boolean isBack = registration.isWarned() && !isStale(registration.filter());
    registration.warned(false);
    return isBack ? Optional.of(ControlFrames.fresh(registration.filter())) : Optional.empty();
  }
}
