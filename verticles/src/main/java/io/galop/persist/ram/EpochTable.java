package io.galop.persist.ram;

import io.galop.record.Position;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The known epochs of a shard: where each ended, and whether it is certain that nothing came
 * between it and the one before. Belongs to the shard's event loop.
 */
public final class EpochTable {
  /** Epochs before these are forgotten: who comes from there is told that something is missing. */
  private static final int MOST_EPOCHS = 4096;

  private static final long OPEN = Long.MAX_VALUE;

  private final TreeMap<Long, Epoch> epochs = new TreeMap<>();
  private final int shard;

  /**
   * @param last the last durable offset, {@link #OPEN} while it grows
   * @param follows whether nothing was placed between the epoch before and this one
   */
  private record Epoch(long last, boolean follows) {}

  /** Knows no epoch. */
  public EpochTable(int shard) {
    this.shard = shard;
  }

  /**
   * An epoch begins, and with it the one before ends.
   *
   * @param before the last durable Position before it; {@link Position#none} if it is not certain
   *     what came before
   * @return whether it follows on the epoch before: nothing is missing between the two
   */
  public boolean begin(long epoch, Position before) {
    boolean isFirst = before.isNone() && epochs.isEmpty();
    if (!before.isNone()) {
      end(before);
    }
    Long lower = epochs.lowerKey(epoch);
    boolean follows = isFirst || lower != null && !before.isNone() && lower == before.epoch();
    epochs.put(epoch, new Epoch(OPEN, follows));
    if (epochs.size() > MOST_EPOCHS) {
      epochs.pollFirstEntry();
    }
    return follows;
  }

  /** A Position turns out to be the last of its epoch. */
  public void end(Position last) {
    Epoch known = epochs.get(last.epoch());
    epochs.put(last.epoch(), new Epoch(last.offset(), known != null && known.follows()));
  }

  /** Learns of an epoch that has ended, after all that are known. */
  public void learn(Position last, boolean follows) {
    epochs.put(last.epoch(), new Epoch(last.offset(), follows));
  }

  /** The newest epoch; 0 if there is none. */
  public long newest() {
    return epochs.isEmpty() ? 0 : epochs.lastKey();
  }

  /** The last offset that counts in an epoch: no bound while it grows or if it is not known. */
  public long last(long epoch) {
    Epoch known = epochs.get(epoch);
    return known == null ? OPEN : known.last();
  }

  /**
   * The one name of a Position among those that mean the same: offsets that were shown but never
   * became durable count as the last durable one, and the end of an epoch as the beginning of the
   * next where it is certain which that is. Empty if the epoch is not known.
   */
  public Optional<Position> normalize(Position position) {
    long epoch = position.epoch();
    long offset = position.offset();
    Epoch known = epochs.get(epoch);
    while (known != null && known.last() != OPEN && offset >= known.last()) {
      offset = known.last();
      Map.Entry<Long, Epoch> next = epochs.higherEntry(epoch);
      if (next == null || !next.getValue().follows()) {
        break;
      }
      epoch = next.getKey();
      offset = 0;
      known = next.getValue();
    }
    return known == null ? Optional.empty() : Optional.of(new Position(shard, epoch, offset));
  }
}
