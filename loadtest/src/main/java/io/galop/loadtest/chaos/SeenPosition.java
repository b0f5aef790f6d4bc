package io.galop.loadtest.chaos;

/** A record's place, as viewers are told it: {@code shard.epoch-offset}. */
public record SeenPosition(int shard, long epoch, long offset) {
  static SeenPosition parse(String text) {
    int dot = text.indexOf('.');
    int dash = text.indexOf('-', dot);
    return new SeenPosition(
        Integer.parseInt(text.substring(0, dot)),
        Long.parseLong(text.substring(dot + 1, dash)),
        Long.parseLong(text.substring(dash + 1)));
  }

  /** Whether it is not behind another of the same shard. */
  boolean isUpTo(SeenPosition other) {
    return epoch < other.epoch || epoch == other.epoch && offset <= other.offset;
  }

  @Override
  public String toString() {
    return shard + "." + epoch + "-" + offset;
  }
}
