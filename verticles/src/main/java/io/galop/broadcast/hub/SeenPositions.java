package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.record.Position;
import java.util.HashMap;
import java.util.Map;

/**
 * Up to where one registration needs nothing of a shard: since its browser has seen it, or since a
 * snapshot has made up for it. On the Hub's event loop.
 */
final class SeenPositions {
  private Map<Integer, Position> seen = Map.of();
  private Map<Integer, Position> passed = Map.of();

  /** It wants no record at or before these Positions of their shards. */
  void seen(Map<Integer, Position> positions) {
    if (!positions.isEmpty()) {
      seen = new HashMap<>(seen);
      seen.putAll(positions);
    }
  }

  /**
   * It is shown a snapshot of here, though it may have seen more: what comes after is news to it
   * again, or the older values would stay. Within an epoch: of another one its owner has to say
   * what it is followed by.
   */
  void shownAgain(Position at) {
    Position before = seen.get(at.shard());
    if (before != null && before.epoch() == at.epoch() && before.compareTo(at) > 0) {
      seen = new HashMap<>(seen);
      seen.put(at.shard(), at);
    }
  }

  /**
   * A snapshot has made up for the records of a shard up to this Position. What was seen of an
   * epoch that its owner does not know says nothing about what comes after it.
   */
  void passed(Position position) {
    Position before = seen.get(position.shard());
    if (before != null && before.compareTo(position) > 0) {
      seen = new HashMap<>(seen);
      seen.remove(position.shard());
    }
    passed = new HashMap<>(passed);
    passed.put(position.shard(), position);
  }

  /** Whether a record is not among those that were seen. */
  boolean isMeant(Entry entry) {
    return isAfter(seen, entry) && (!entry.isRepeat() || lacks(entry));
  }

  /**
   * Whether a browser lacks a record that the node has shown before. It does if it came back with a
   * Position of a later epoch: the owner of that epoch, or another node, gave it what was kept of
   * the epochs before, and the record may not have been.
   */
  private boolean lacks(Entry repeat) {
    Position last = seen.get(repeat.shard());
    return last != null && last.epoch() > repeat.shownInEpoch();
  }

  /** Whether a record was made up for by a snapshot. */
  boolean isPassed(Entry entry) {
    return !isAfter(passed, entry);
  }

  private static boolean isAfter(Map<Integer, Position> positions, Entry entry) {
    Position last = positions.isEmpty() ? null : positions.get(entry.shard());
    return last == null || !entry.isRecord() || entry.position().compareTo(last) > 0;
  }
}
