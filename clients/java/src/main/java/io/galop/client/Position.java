package io.galop.client;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the feed. Positions of one shard have an order, those of different shards have none.
 */
public record Position(int shard, long epoch, long offset) implements Comparable<Position> {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})\\.([0-9]{1,18})-([0-9]{1,18})");

  /** Reads {@code <shard>.<epoch>-<offset>}; empty for any other text. */
  public static Optional<Position> parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new Position(
            Integer.parseInt(found.group(1)),
            Long.parseLong(found.group(2)),
            Long.parseLong(found.group(3))));
  }

  /**
   * Orders two of one shard.
   *
   * @throws IllegalArgumentException for two of different shards
   */
  @Override
  public int compareTo(Position other) {
    if (shard != other.shard) {
      throw new IllegalArgumentException(
          this + " and " + other + " are of different shards, which have no order");
    }
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(offset, other.offset);
  }

  @Override
  public String toString() {
    return shard + "." + epoch + "-" + offset;
  }
}
