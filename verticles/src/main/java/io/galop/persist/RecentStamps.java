package io.galop.persist;

import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Position;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When the records of a shard's last Batches were read, for followers that get them late: these are
 * who is to be seen. The RAM tier does not keep it. Lives on the shard's event loop.
 */
final class RecentStamps {
  /** Of a follower that is further behind it is not known how late it is. */
  private static final int MOST = 256;

  private final long[] epochs = new long[MOST];

  /** Of the last record of each. */
  private final long[] offsets = new long[MOST];

  private final DoorStamp[] stamps = new DoorStamp[MOST];
  private long added;

  /** A Batch was placed. */
  void add(Batch placed) {
    int at = (int) (added++ % MOST);
    epochs[at] = placed.epoch();
    offsets[at] = placed.firstOffset() + placed.records().size() - 1;
    stamps[at] = placed.stamp();
  }

  /** Records out of several Batches with the stamp of any one of them, if that is still known. */
  Batch stamped(Batch chunk) {
    Position any = chunk.position(ThreadLocalRandom.current().nextInt(chunk.records().size()));
    long low = Math.max(0, added - MOST);
    long oldest = low;
    long high = added;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (isBefore(any, (int) (middle % MOST))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == added || low == oldest ? chunk : chunk.stamped(stamps[(int) (low % MOST)]);
  }

  /** Whether a Batch ends before a Position. */
  private boolean isBefore(Position any, int at) {
    return epochs[at] < any.epoch() || epochs[at] == any.epoch() && offsets[at] < any.offset();
  }
}
