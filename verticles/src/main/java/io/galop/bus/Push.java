package io.galop.bus;

import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A placed Batch for a broadcast node. The reply to it is the node's credit for more. An empty
 * Batch is a sign of life, sent about every second.
 *
 * @param session of the {@link Follow} that asked for it
 * @param after the Position that the Batch follows on without a hole
 * @param head the newest Position of the shard when this was sent
 * @param part of the records what a relay wants, where it has said so: then the Batch is empty
 */
public record Push(long session, Position after, Position head, Batch batch, @Nullable Part part) {
  /**
   * The records that a relay wants, of all from {@link Push#after} to a Position.
   *
   * @param version of what it wants, as it has told that
   * @param upTo what is not in {@code records} up to here was left out
   */
  public record Part(long version, Position upTo, List<Placed> records) {
    public Part {
      records = List.copyOf(records);
    }
  }

  /** One with all records. */
  public Push(long session, Position after, Position head, Batch batch) {
    this(session, after, head, batch, null);
  }

  /** The same with what is wanted of it. */
  public Push with(Part wanted) {
    Batch none =
        new Batch(batch.shard(), batch.epoch(), batch.firstOffset(), List.of(), batch.stamp());
    return new Push(session, after, head, none, wanted);
  }

  /** The Position of its last record, also if that was left out. */
  public Position upTo() {
    if (part != null) {
      return part.upTo();
    }
    return batch.records().isEmpty() ? after : batch.position(batch.records().size() - 1);
  }

  /** How many records it has, by what the owner says of its Positions. */
  public long records() {
    if (part != null) {
      return part.records().size();
    }
    if (batch.records().isEmpty()) {
      return 0;
    }
    Position end = batch.position(batch.records().size() - 1);
    boolean goesOn = after.epoch() == end.epoch();
    return end.offset() - (goesOn ? after.offset() : batch.firstOffset() - 1);
  }
}
