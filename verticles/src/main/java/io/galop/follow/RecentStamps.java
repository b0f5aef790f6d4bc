package io.galop.follow;

import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Position;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When the records of a shard's last Batches were read, placed and logged: for followers that get
 * them late, who are to be seen, and for whoever asks about a record. The RAM tier does not keep
 * it. Lives on the shard's event loop.
 */
public final class RecentStamps {
  /** Of a follower that is further behind it is not known how late it is. */
  public static final int MOST = 256;

  private final long[] epochs = new long[MOST];

  /** Of the last record of each. */
  private final long[] offsets = new long[MOST];

  private final DoorStamp[] stamps = new DoorStamp[MOST];
  private final long[] placedMs = new long[MOST];

  /** 0 until it is. */
  private final long[] loggedMs = new long[MOST];

  private long added;

  /** Of those before it all were logged. */
  private long logged;

  /**
   * When a Batch was dealt with, in milliseconds since 1970.
   *
   * @param stamp when a door read one of its records
   * @param loggedMs 0 if it is not on disk
   */
  public record Times(DoorStamp stamp, long placedMs, long loggedMs) {}

  /** A Batch was placed. */
  void add(Batch placed, long nowMs) {
    int at = (int) (added++ % MOST);
    epochs[at] = placed.epoch();
    offsets[at] = placed.firstOffset() + placed.records().size() - 1;
    stamps[at] = placed.stamp();
    placedMs[at] = nowMs;
    loggedMs[at] = 0;
  }

  /** All up to a Position is on disk. */
  void logged(Position upTo, long nowMs) {
    logged = Math.max(logged, added - MOST);
    while (logged < added && !isBehind((int) (logged % MOST), upTo)) {
      loggedMs[(int) (logged++ % MOST)] = nowMs;
    }
  }

  private boolean isBehind(int at, Position position) {
    return epochs[at] > position.epoch()
        || epochs[at] == position.epoch() && offsets[at] > position.offset();
  }

  /** When a record was dealt with; empty if its Batch is none of the last ones here. */
  Optional<Times> find(Position position) {
    long at = index(position);
    int slot = (int) (at % MOST);
    return at < 0
        ? Optional.empty()
        : Optional.of(new Times(stamps[slot], placedMs[slot], loggedMs[slot]));
  }

  /** Records out of several Batches with the stamp of any one of them, if that is still known. */
  Batch stamped(Batch chunk) {
    Position any = chunk.position(ThreadLocalRandom.current().nextInt(chunk.records().size()));
    long at = index(any);
    return at < 0 ? chunk : chunk.stamped(stamps[(int) (at % MOST)]);
  }

  /** Of the first Batch that does not end before a Position; -1 if nobody knows which that is. */
  private long index(Position any) {
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
    boolean isUnknown = low == added || low == oldest && oldest > 0;
    return isUnknown || epochs[(int) (low % MOST)] != any.epoch() ? -1 : low;
  }

  /** Whether a Batch ends before a Position. */
  private boolean isBefore(Position any, int at) {
    return epochs[at] < any.epoch() || epochs[at] == any.epoch() && offsets[at] < any.offset();
  }
}
