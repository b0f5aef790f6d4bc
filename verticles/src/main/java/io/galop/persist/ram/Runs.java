package io.galop.persist.ram;

import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Between Batches and lists of placed records. */
public final class Runs {
  private Runs() {}

  /** Hands over the records as Batches, each as long as Positions follow on one another. */
  public static void each(List<Placed> records, Consumer<Batch> each) {
    int start = 0;
    for (int i = 1; i <= records.size(); i++) {
      if (i == records.size() || !follows(records.get(i - 1), records.get(i))) {
        each.accept(batch(records.subList(start, i)));
        start = i;
      }
    }
  }

  private static boolean follows(Placed before, Placed after) {
    Position a = before.position();
    Position b = after.position();
    return a.shard() == b.shard() && a.epoch() == b.epoch() && a.offset() + 1 == b.offset();
  }

  private static Batch batch(List<Placed> run) {
    List<Record> records = new ArrayList<>(run.size());
    run.forEach(placed -> records.add(placed.record()));
    Position first = run.get(0).position();
    return new Batch(first.shard(), first.epoch(), first.offset(), records);
  }

  /** Adds the records of a placed Batch, up to a Position. */
  public static void add(Batch batch, Position upTo, List<Placed> to) {
    for (int i = 0; i < batch.records().size(); i++) {
      Position position = batch.position(i);
      if (position.compareTo(upTo) > 0) {
        return;
      }
      to.add(new Placed(position, batch.records().get(i)));
    }
  }
}
