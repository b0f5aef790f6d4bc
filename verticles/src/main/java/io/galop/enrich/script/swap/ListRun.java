package io.galop.enrich.script.swap;

import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A list of records on its way through a script. It belongs to one thread at a time: when that one
 * is given up the next goes on behind the record it hangs on, and what the old one may still return
 * is not taken.
 */
final class ListRun {
  private final List<Record> records;
  private final List<Record> enriched;
  private final StepTally tally;
  private final Consumer<List<Record>> whenDone;
  private int next;

  /** The thread that it belongs to; null before somebody has begun. */
  private @Nullable Object owner;

  /** A run of all of the records, whose results are handed over when the last one has one. */
  ListRun(List<Record> records, StepTally tally, Consumer<List<Record>> whenDone) {
    this.records = records;
    this.tally = tally;
    this.enriched = new ArrayList<>(records.size());
    this.whenDone = whenDone;
  }

  /** Somebody begins with the run. */
  synchronized void take(Object first) {
    owner = first;
  }

  /**
   * The run is another's from now on, if the one before still has a record of it.
   *
   * @return whether it was taken over; not if the one before is done with it, or it was another's
   */
  synchronized boolean takeOver(Object from, Object to) {
    if (owner != from || next >= records.size()) {
      return false;
    }
    owner = to;
    return true;
  }

  /** The record to be enriched now; null if there is none, or the run is another's. */
  synchronized @Nullable Record current(Object by) {
    return owner == by && next < records.size() ? records.get(next) : null;
  }

  /**
   * What became of the current record.
   *
   * @return whether it was taken; not if the run is another's by now
   */
  boolean put(Object by, List<Record> outputs) {
    synchronized (this) {
      if (owner != by) {
        return false;
      }
      Record record = records.get(next);
      enriched.addAll(outputs);
      tally.count(record, outputs);
      next++;
      if (next < records.size()) {
        return true;
      }
    }
    whenDone.accept(enriched);
    return true;
  }
}
