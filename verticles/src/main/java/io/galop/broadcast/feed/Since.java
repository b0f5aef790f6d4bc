package io.galop.broadcast.feed;

import io.galop.record.Position;
import java.util.HashMap;
import java.util.Map;

/**
 * Where a browser was before: the last Position of each shard that it has seen. Empty: it wants to
 * be told the Positions from which it can resume later.
 */
public record Since(Map<Integer, Position> positions) {
  public Since {
    positions = Map.copyOf(positions);
  }

  /**
   * Parses Positions separated by commas.
   *
   * @throws IllegalArgumentException if one is malformed, of no shard, or of a shard named before
   */
  public static Since parse(String text, int shards) {
    Map<Integer, Position> positions = new HashMap<>();
    for (String one : text.isBlank() ? new String[0] : text.split(",", -1)) {
      Position position = Position.parse(one.trim());
      if (position.shard() < 0 || position.shard() >= shards) {
        throw new IllegalArgumentException(
            "'" + position + "' is of no shard; there are " + shards + ", from 0");
      }
      if (positions.put(position.shard(), position) != null) {
        throw new IllegalArgumentException("shard " + position.shard() + " is named twice");
      }
    }
    return new Since(positions);
  }

  boolean isFromNow() {
    return positions.isEmpty();
  }

  boolean names(int shard) {
    return positions.containsKey(shard);
  }

  Position of(int shard) {
    return positions.getOrDefault(shard, Position.none(shard));
  }
}
