package io.galop.broadcast.ring;

import io.galop.config.broadcast.RingConfig;
import io.galop.record.Position;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The node's newest records of all shards in the order of their arrival, bounded in bytes and in
 * number; the oldest go first. The feed loop writes; {@link #get}, {@link #first} and {@link #next}
 * may be called from any thread.
 */
public final class Ring {
  private final long maxBytes;
  private final AtomicReferenceArray<Entry> slots;
  private final SequenceIndex[] shards;
  private final Position[] floors;
  private final Position[] starts;
  private final TopicNumbers numbers = new TopicNumbers();
  private long bytes;
  private volatile long first;
  private volatile long next;

  public Ring(RingConfig config, int shards) {
    this.maxBytes = config.maxBytes();
    this.slots = new AtomicReferenceArray<>(config.maxRecords());
    this.shards = new SequenceIndex[shards];
    this.floors = new Position[shards];
    this.starts = new Position[shards];
    for (int shard = 0; shard < shards; shard++) {
      this.shards[shard] = new SequenceIndex();
      this.floors[shard] = Position.none(shard);
      this.starts[shard] = Position.none(shard);
    }
  }

  /** Appends the next record of its shard. */
  public void append(Entry entry) {
    while (next > first && (bytes + entry.cost() > maxBytes || next - first == slots.length())) {
      evict();
    }
    entry.number(next, numbers);
    slots.setRelease(slot(next), entry);
    if (entry.isRecord()) {
      shards[entry.shard()].add(next);
    }
    bytes += entry.cost();
    next = next + 1;
  }

  private void evict() {
    Entry oldest = slots.getPlain(slot(first));
    if (oldest.isRecord() && shards[oldest.shard()].removeFirst(first)) {
      floors[oldest.shard()] = oldest.position();
    }
    bytes -= oldest.cost();
    slots.setRelease(slot(first), null);
    first = first + 1;
  }

  private int slot(long sequence) {
    return (int) (sequence % slots.length());
  }

  /** The record with a number, or null if it has left the ring or is not yet there. */
  public @Nullable Entry get(long sequence) {
    Entry entry = slots.getAcquire(slot(sequence));
    return entry != null && entry.sequence() == sequence ? entry : null;
  }

  /** The number of the oldest record. */
  public long first() {
    return first;
  }

  /** The number that the next record will have. */
  public long next() {
    return next;
  }

  public long bytes() {
    return bytes;
  }

  /** Every record of the shard after this Position is in the ring. */
  public Position floor(int shard) {
    return floors[shard];
  }

  /** The first floor of the shard since the last {@link #restart}. */
  public Position start(int shard) {
    return starts[shard];
  }

  /**
   * Up to here a shard's records are in the older half of the ring: who begins to read right at the
   * floor may find it gone.
   */
  public Position middle(int shard) {
    SequenceIndex index = shards[shard];
    long middle = first + (next - first) / 2;
    int low = 0;
    int high = index.size();
    while (low < high) {
      int rank = (low + high) >>> 1;
      if (index.get(rank) >= middle) {
        high = rank;
      } else {
        low = rank + 1;
      }
    }
    return low == 0 ? floors[shard] : positionOf(index.get(low - 1));
  }

  /** Where a record is of which the ring still has the number. */
  private Position positionOf(long sequence) {
    return slots.getPlain(slot(sequence)).position();
  }

  /** There is a gap in the shard before a Position: nothing before it can be resumed from here. */
  public void restart(int shard, Position floor) {
    floors[shard] = floor;
    starts[shard] = floor;
    shards[shard].clear();
  }

  /** The record with a Position, or null if it is not here. On the feed loop. */
  public @Nullable Entry find(Position position) {
    Position before = new Position(position.shard(), position.epoch(), position.offset() - 1);
    Entry entry = get(firstAfter(position.shard(), before));
    return entry != null && entry.position().equals(position) ? entry : null;
  }

  /**
   * The number of the first record of a shard after a Position that is not before {@link #floor};
   * {@link #next} if there is none yet.
   */
  public long firstAfter(int shard, Position position) {
    SequenceIndex index = shards[shard];
    int low = 0;
    int high = index.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (positionOf(index.get(middle)).compareTo(position) > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low == index.size() ? next : index.get(low);
  }
}
