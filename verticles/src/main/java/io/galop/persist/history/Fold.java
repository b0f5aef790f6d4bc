package io.galop.persist.history;

import io.galop.persist.fold.Cell;
import io.galop.persist.fold.FieldPath;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Folds records into buckets in one pass. Records come in the order of their times, so only one
 * bucket is open: what is held is bounded by its topics and fields. A bucket begins at a multiple
 * of its length since 1970 UTC and has what lies in [begin, begin + length). Where a topic has no
 * number in a bucket there is no row: a gap stays one. Pure; on one thread at a time.
 */
final class Fold {
  /** What one bucket may hold, at about 150 bytes. */
  static final int MOST_CELLS = 100_000;

  /** Gets each bucket when it is over. */
  interface Rows {
    /**
     * A bucket.
     *
     * @param beginUs its begin
     * @param topics by name, of each field its values
     */
    void on(long beginUs, SortedMap<String, Cell[]> topics);
  }

  private final long everyUs;
  private final List<FieldPath> fields;
  private final boolean newestFirst;
  private final Rows rows;
  private final TreeMap<String, Cell[]> open = new TreeMap<>();
  private long begin;
  private boolean hasBegun;
  private boolean isPastFirst;

  /**
   * Empty.
   *
   * @param newestFirst the order in which records come
   */
  Fold(long everyUs, List<String> fields, boolean newestFirst, Rows rows) {
    this.everyUs = everyUs;
    this.fields = FieldPath.of(fields);
    this.newestFirst = newestFirst;
    this.rows = rows;
  }

  /**
   * Adds a record.
   *
   * @throws IllegalArgumentException if a bucket has too many topics
   */
  void add(String topic, long timeUs, byte[] data) {
    begin(timeUs);
    for (int i = 0; i < fields.size(); i++) {
      double value = fields.get(i).number(data);
      if (!Double.isNaN(value)) {
        cells(topic)[i].add(value, timeUs, newestFirst);
      }
    }
  }

  /**
   * Adds values that were folded before, of a part of a bucket.
   *
   * @param timeUs some time of the bucket
   * @param values of each field
   * @throws IllegalArgumentException as of {@link #add}
   */
  void add(String topic, long timeUs, Cell[] values) {
    begin(timeUs);
    Cell[] cells = cells(topic);
    for (int i = 0; i < cells.length; i++) {
      cells[i].add(values[i], newestFirst);
    }
  }

  private void begin(long timeUs) {
    long now = Math.floorDiv(timeUs, everyUs) * everyUs;
    if (now != begin || !hasBegun) {
      end();
      isPastFirst = hasBegun;
      hasBegun = true;
      begin = now;
    }
  }

  private Cell[] cells(String topic) {
    Cell[] cells = open.get(topic);
    if (cells == null) {
      if ((open.size() + 1) * fields.size() > MOST_CELLS) {
        throw new IllegalArgumentException(
            "a bucket has more than %,d topics times fields; ask for fewer topics or fields"
                .formatted(MOST_CELLS));
      }
      cells = new Cell[fields.size()];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = new Cell();
      }
      open.put(topic, cells);
    }
    return cells;
  }

  /** The begin of the open bucket, in microseconds since the epoch. */
  long begin() {
    return begin;
  }

  /** Whether at least one bucket is over. */
  boolean isPastFirst() {
    return isPastFirst;
  }

  /** The open bucket is over. */
  void end() {
    if (!open.isEmpty()) {
      rows.on(begin, open);
      open.clear();
    }
  }
}
