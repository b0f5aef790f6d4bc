package io.galop.broadcast.feed;

import io.galop.record.Position;
import java.util.TreeSet;

/**
 * The epochs of a shard that follow on each other without a gap in what this node has of it, as its
 * owners said. Of a Position in another epoch only the owner can say whether it goes on from there,
 * whatever its number. On the feed loop.
 */
final class KnownEpochs {
  /** Of older ones the owner is asked, which costs it an answer. */
  private static final int MOST = 1024;

  private final TreeSet<Long> epochs = new TreeSet<>();
  private long newest;

  /** There is a gap before this Position, whatever was known. */
  void restart(Position from) {
    epochs.clear();
    reached(from);
  }

  /** What the node has goes on to this Position. */
  void reached(Position position) {
    newest = Math.max(newest, position.epoch());
    if (epochs.add(position.epoch()) && epochs.size() > MOST) {
      epochs.pollFirst();
    }
  }

  /** The node was told of this Position. */
  void heard(Position position) {
    newest = Math.max(newest, position.epoch());
  }

  boolean contains(Position position) {
    return epochs.contains(position.epoch());
  }

  /** The largest that the node has ever been told of. */
  long newest() {
    return newest;
  }
}
