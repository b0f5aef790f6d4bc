package io.galop.record;

/**
 * Where a Record stands in its shard. Offsets start at 1 in every epoch and have no holes; epochs
 * of a shard only grow, but are not consecutive.
 */
public record Position(int shard, long epoch, long offset) implements Comparable<Position> {

  /** Before every record of the shard: where one stands who has seen nothing. */
  public static Position none(int shard) {
    return new Position(shard, 0, 0);
  }

  /** Whether nothing has been seen. */
  public boolean isNone() {
    return epoch == 0;
  }

  /**
   * Parses {@code <shard>.<epoch>-<offset>}, each in digits alone, as they are printed.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static Position parse(String text) {
    int dot = text.indexOf('.');
    int dash = text.indexOf('-', dot + 1);
    boolean signed = text.startsWith("-") || text.indexOf('-', dash + 1) >= 0;
    if (dot < 1 || dash < dot + 2 || dash == text.length() - 1 || signed) {
      throw notAPosition(text);
    }
    try {
      Position position =
          new Position(
              Integer.parseInt(text, 0, dot, 10),
              Long.parseLong(text, dot + 1, dash, 10),
              Long.parseLong(text, dash + 1, text.length(), 10));
      if (!position.toString().equals(text)) {
        throw notAPosition(text);
      }
      return position;
    } catch (NumberFormatException e) {
      throw notAPosition(text);
    }
  }

  private static IllegalArgumentException notAPosition(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is no position; expected <shard>.<epoch>-<offset>");
  }

  /** Orders the positions of one shard. */
  @Override
  public int compareTo(Position other) {
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(offset, other.offset);
  }

  @Override
  public String toString() {
    return shard + "." + epoch + "-" + offset;
  }
}
