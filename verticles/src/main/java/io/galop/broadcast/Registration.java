package io.galop.broadcast;

import io.galop.record.Position;
import io.galop.record.TopicFilter;
import java.util.HashMap;
import java.util.Map;

/** One filter that one Subscriber has registered, and how it wants its records. */
final class Registration {
  private final Subscriber subscriber;
  private final TopicFilter filter;
  private final Newest newest;
  private FilterGroup group;
  private int place;
  private boolean isEnded;
  private boolean isJoining;
  private long fromSequence;
  private Map<Integer, Position> seen = Map.of();

  Registration(Subscriber subscriber, TopicFilter filter, Newest newest) {
    this.subscriber = subscriber;
    this.filter = filter;
    this.newest = newest;
  }

  Subscriber subscriber() {
    return subscriber;
  }

  TopicFilter filter() {
    return filter;
  }

  /** Whether only the newest value of each topic matters to it. */
  boolean isConflating() {
    return newest != null;
  }

  /** What waits for a conflating registration. */
  Newest newest() {
    return newest;
  }

  /** The group it takes part in, or null before it does. */
  FilterGroup group() {
    return group;
  }

  void join(FilterGroup joined) {
    group = joined;
    joined.add(this);
  }

  /** Its place in the list of its group. */
  int place() {
    return place;
  }

  void place(int inGroup) {
    place = inGroup;
  }

  void end() {
    isEnded = true;
  }

  boolean isEnded() {
    return isEnded;
  }

  /** Whether its snapshot or what it missed has not been written completely. */
  boolean isJoining() {
    return isJoining;
  }

  void joining(boolean joining) {
    isJoining = joining;
  }

  /** It wants no record of the ring before this number. */
  void notBefore(long sequence) {
    fromSequence = Math.max(fromSequence, sequence);
  }

  /** It wants no record at or before these Positions of their shards. */
  void seen(Map<Integer, Position> positions) {
    if (!positions.isEmpty()) {
      seen = new HashMap<>(seen);
      seen.putAll(positions);
    }
  }

  boolean wants(Entry entry) {
    if (entry.sequence() < fromSequence) {
      return false;
    }
    Position last = seen.isEmpty() ? null : seen.get(entry.shard());
    return last == null || entry.position().compareTo(last) > 0;
  }
}
