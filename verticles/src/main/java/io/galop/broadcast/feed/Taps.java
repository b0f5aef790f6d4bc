package io.galop.broadcast.feed;

import io.galop.node.FeedTap;
import io.galop.record.Record;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who hears a node's feed beside its browsers. */
public final class Taps {
  private final List<FeedTap> taps = new CopyOnWriteArrayList<>();

  /**
   * Lets somebody hear what comes from now on. From any thread.
   *
   * @return ends it
   */
  public Runnable add(FeedTap tap) {
    taps.add(tap);
    return () -> taps.remove(tap);
  }

  /** Whether nobody does. */
  boolean isEmpty() {
    return taps.isEmpty();
  }

  void onRecord(int shard, Record record) {
    for (FeedTap tap : taps) {
      tap.onRecord(shard, record);
    }
  }

  void onGap(int shard) {
    taps.forEach(tap -> tap.onGap(shard));
  }
}
