package io.galop.node;

/** Who hears what the owners of shards on this node have on disk: one, if any. From any thread. */
public final class OwnerTaps {
  private volatile OwnerTap tap = OwnerTap.NONE;

  /** Has somebody hear of all from now on; to be called before the first shard is owned. */
  public void listen(OwnerTap hears) {
    tap = hears;
  }

  /** Who hears. */
  public OwnerTap tap() {
    return tap;
  }
}
