package io.galop.node;

import io.galop.record.Record;

/**
 * Hears what a node with the role broadcast is fed, beside its browsers. Called on the feed loop,
 * in the order of each shard; has to return at once.
 */
public interface FeedTap {
  /** The next record of a shard. */
  void onRecord(int shard, Record record);

  /** Records of a shard may be missing before those that come next. */
  void onGap(int shard);
}
