package io.galop.persist.ram;

import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest records of a shard in the RAM tier, without a hole after {@link #floor}. Belongs to
 * the shard's event loop; only {@link #slabs} may be called from elsewhere.
 */
public final class ShardTail implements AutoCloseable {
  private static final int FIRST_SLAB = 64 * 1024;
  private static final Slab[] NONE = {};

  private final RamTier tier;
  private final int shard;
  private Position floor;
  private Position head;
  private int nextSlabBytes = FIRST_SLAB;
  private boolean open;
  private volatile Slab[] slabs = NONE;

  /** An empty tail that has nothing before it. */
  public ShardTail(RamTier tier, int shard) {
    this.tier = tier;
    this.shard = shard;
    this.floor = Position.none(shard);
    this.head = floor;
  }

  /** Everything after this Position is held. */
  public Position floor() {
    prune();
    return floor;
  }

  /** The newest Position: of the last record, or the beginning of an epoch without one. */
  public Position head() {
    return head;
  }

  /** Takes it that records between the floor and this Position may be missing. */
  public void raiseFloor(Position at) {
    floor = floor.compareTo(at) < 0 ? at : floor;
    head = head.compareTo(at) < 0 ? at : head;
  }

  /** A new epoch begins; its first record will have offset 1. */
  public void begin(long epoch) {
    seal();
    nextSlabBytes = FIRST_SLAB;
    head = new Position(shard, epoch, 0);
  }

  /** Adds placed records; where they do not follow on the head, the floor rises to them. */
  public void append(Batch placed, long nowMs) {
    if (placed.records().isEmpty()) {
      return;
    }
    follow(placed.epoch(), placed.firstOffset());
    Slab slab = open ? slabs[slabs.length - 1] : add(placed, 0);
    for (int i = 0; i < placed.records().size(); i++) {
      Record record = placed.records().get(i);
      if (!slab.append(record)) {
        slab.publish(nowMs);
        slab = add(placed, i);
        slab.append(record);
      }
    }
    slab.publish(nowMs);
    head = placed.position(placed.records().size() - 1);
  }

  private void follow(long epoch, long firstOffset) {
    if (epoch != head.epoch() || firstOffset != head.offset() + 1) {
      boolean hole = epoch == head.epoch() || firstOffset != 1;
      begin(epoch);
      if (hole) {
        raiseFloor(new Position(shard, epoch, firstOffset - 1));
      }
    }
  }

  /** A slab that begins with a record of a Batch. */
  private Slab add(Batch placed, int index) {
    Position first = placed.position(index);
    int leastBytes = Slab.mostBytes(placed.records().get(index));
    seal();
    prune();
    Slab slab = tier.allocate(nextSlabBytes, leastBytes, first.epoch(), first.offset());
    nextSlabBytes = Math.min(nextSlabBytes * 2, tier.slabBytes());
    Slab[] more = Arrays.copyOf(slabs, slabs.length + 1);
    more[more.length - 1] = slab;
    slabs = more;
    open = true;
    return slab;
  }

  private void seal() {
    if (open) {
      tier.onFull(slabs[slabs.length - 1]);
      open = false;
    }
  }

  /**
   * The records after a Position, all of one epoch, up to about {@code maxBytes} but at least one.
   *
   * @param at not before {@link #floor}
   * @return an empty Batch at the head, and where the memory went while it was being read
   */
  public Batch after(Position at, int maxBytes) {
    Slab slab = slabAfter(at);
    if (slab == null || !slab.retain()) {
      return new Batch(shard, at.epoch(), at.offset(), List.of());
    }
    try {
      boolean within = slab.epoch() == at.epoch() && at.offset() >= slab.firstOffset();
      long first = within ? at.offset() + 1 : slab.firstOffset();
      return new Batch(shard, slab.epoch(), first, read(slab, slab.startOf(first), maxBytes));
    } finally {
      slab.release();
    }
  }

  private static List<Record> read(Slab slab, int from, int maxBytes) {
    int end = slab.publishedBytes();
    List<Record> records = new ArrayList<>();
    for (int at = from; at < end && (at == from || at - from < maxBytes); ) {
      records.add(RecordCodec.read(slab.bytes(), at));
      at += RecordCodec.length(slab.bytes(), at);
    }
    return records;
  }

  /** The first slab with a record after a Position: a binary search over their last Positions. */
  private @Nullable Slab slabAfter(Position at) {
    Slab[] all = slabs;
    int low = 0;
    int high = all.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      Slab slab = all[middle];
      boolean ends = slab.epoch() == at.epoch() && slab.lastOffset() <= at.offset();
      if (slab.epoch() < at.epoch() || ends) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < all.length ? all[low] : null;
  }

  /** Drops slabs whose newest record came before a time; the floor rises. */
  public void dropOlderThan(long ms) {
    prune();
    int gone = 0;
    while (gone < slabs.length && slabs[gone].writtenMs() < ms) {
      open = open && gone < slabs.length - 1;
      tier.drop(slabs[gone++]);
    }
    prune();
  }

  private void prune() {
    Slab[] all = slabs;
    int gone = 0;
    while (gone < all.length && all[gone].isEvicted()) {
      Position end = new Position(shard, all[gone].epoch(), all[gone].lastOffset());
      floor = floor.compareTo(end) < 0 ? end : floor;
      gone++;
    }
    if (gone > 0) {
      slabs = Arrays.copyOfRange(all, gone, all.length);
    }
  }

  /** The slabs of this moment, oldest first; retain each before reading it. */
  public Slab[] slabs() {
    return slabs;
  }

  /** Lets go of everything. */
  @Override
  public void close() {
    open = false;
    for (Slab slab : slabs) {
      tier.drop(slab);
    }
    prune();
  }
}
