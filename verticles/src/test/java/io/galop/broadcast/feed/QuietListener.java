package io.galop.broadcast.feed;

/** For a test that wants none of what a shard's feed tells besides its records and gaps. */
interface QuietListener extends ShardListener {
  @Override
  default void onSent(int shard, long records) {}

  @Override
  default void onTaken(int shard, long records) {}

  @Override
  default void onKnown(int shard, long records) {}

  @Override
  default Taps taps() {
    return new Taps();
  }

  @Override
  default void onRepeated() {}

  @Override
  default void onCovered() {}

  @Override
  default void onStale(int shard, boolean isStale) {}
}
