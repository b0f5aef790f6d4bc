package io.galop.node;

import io.galop.record.Batch;

/**
 * Hears what the owners of shards on this node have on disk, beside the way of a record. Called on
 * the loop of the shard, in its order; has to return at once.
 */
public interface OwnerTap {
  /** Nobody listens. */
  OwnerTap NONE =
      new OwnerTap() {
        @Override
        public void onOwned(OwnedShard owned) {}

        @Override
        public void onLogged(Batch batch) {}

        @Override
        public void onLost(int shard) {}
      };

  /** This node owns a shard from now on, in a new epoch; it may have owned it before. */
  void onOwned(OwnedShard owned);

  /** Records of a shard that this node owns are on disk. */
  void onLogged(Batch batch);

  /** This node does not own the shard any more. */
  void onLost(int shard);
}
