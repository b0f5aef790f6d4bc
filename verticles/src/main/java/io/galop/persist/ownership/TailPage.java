package io.galop.persist.ownership;

import io.galop.bus.Page;
import io.galop.persist.ram.Resume;
import io.galop.persist.ram.Runs;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.RecordCodec;
import java.util.ArrayList;
import java.util.List;

/** Reads the tail of a shard from one memory and copies it behind what is in another. */
public final class TailPage {
  private TailPage() {}

  /** Where a first page begins that asks for what came after a Position. */
  public static Resume start(ShardMemory from, Position since) {
    Position floor = from.tail().floor();
    return since.isNone() ? new Resume(floor, floor.isNone()) : from.resume(since);
  }

  /**
   * The records from a place on.
   *
   * @param upTo nothing after it is read
   * @param maxBytes about how much
   */
  public static Page read(ShardMemory from, Resume start, Position upTo, int maxBytes) {
    List<Placed> records = new ArrayList<>();
    Position at = start.from();
    long bytes = 0;
    while (bytes < maxBytes && at.compareTo(upTo) < 0) {
      Batch batch = from.after(at, (int) (maxBytes - bytes));
      Runs.add(batch, upTo, records);
      if (batch.records().isEmpty()) {
        return end(from, start.complete(), at, upTo, records);
      }
      bytes += batch.records().stream().mapToLong(RecordCodec::approximateBytes).sum();
      at = batch.position(batch.records().size() - 1);
    }
    boolean more = at.compareTo(upTo) < 0;
    return new Page(start.complete(), more ? at : upTo, more ? at.toString() : "", records);
  }

  /** Nothing more is held: because there is nothing, or because memory went in between. */
  private static Page end(
      ShardMemory from, boolean complete, Position at, Position upTo, List<Placed> records) {
    return from.holdsAfter(at) || at.equals(from.tail().floor())
        ? new Page(complete, upTo, "", records)
        : new Page(complete, at, at.toString(), records);
  }

  /**
   * Copies a page that was asked for with the head of the memory, or that goes on behind one that
   * was.
   *
   * @param isAdjacent whether nothing is missing between the memory and the page, as far as the
   *     pages before it say
   * @return the same for the page behind this one
   */
  public static boolean copy(Page page, boolean isAdjacent, ShardMemory into, long nowMs) {
    boolean[] complete = {page.complete() && isAdjacent};
    Runs.each(
        page.records(),
        batch -> {
          if (batch.epoch() < into.tail().head().epoch()) {
            merge(batch, into);
            complete[0] = false;
          } else {
            beginEpoch(into, batch, complete[0]);
            into.restore(batch, nowMs);
            complete[0] = true;
          }
        });
    Position head = into.tail().head();
    if (page.upTo().epoch() > head.epoch()) {
      into.begin(page.upTo().epoch(), complete[0] ? head : Position.none(head.shard()));
      complete[0] = true;
    }
    if (page.upTo().compareTo(into.tail().head()) > 0) {
      into.tail().raiseFloor(page.upTo());
    }
    return complete[0];
  }

  /**
   * A node that had lost its disk may have begun an epoch with a smaller number than those here.
   * Nobody who comes with a Position could be told what follows on what: its records stay there.
   */
  private static void merge(Batch batch, ShardMemory into) {
    for (int i = 0; i < batch.records().size(); i++) {
      into.merge(new Placed(batch.position(i), batch.records().get(i)));
    }
  }

  private static void beginEpoch(ShardMemory into, Batch batch, boolean isComplete) {
    Position head = into.tail().head();
    if (batch.epoch() != head.epoch()) {
      into.begin(batch.epoch(), isComplete ? head : Position.none(head.shard()));
    }
  }
}
