package io.galop.persist.history;

import io.galop.persist.rollup.Cell;
import io.galop.persist.rollup.Rollups;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Adds what roll-ups have to the buckets of a question, which are as long or a multiple. Ends when
 * there are enough rows or too much was read; what is held is what the rows take. For one thread.
 */
final class RolledRows implements Rollups.Rows {
  private final long everyUs;
  private final int fields;
  private final boolean newestFirst;
  private final int limit;
  private final int maxRead;
  private final List<Rolled.Bucket> buckets = new ArrayList<>();
  private TreeMap<String, Cell[]> open = new TreeMap<>();
  private long begin;
  private int rows;
  private int read;
  private boolean isCut;

  /**
   * Empty.
   *
   * @param limit rows that are enough; the first bucket does not count, as some may be left out
   * @param maxRead buckets of the store that are read at most
   */
  RolledRows(long everyUs, int fields, boolean newestFirst, int limit, int maxRead) {
    this.everyUs = everyUs;
    this.fields = fields;
    this.newestFirst = newestFirst;
    this.limit = limit;
    this.maxRead = maxRead;
  }

  @Override
  public boolean on(long beginUs, String topic, int field, Cell cell) {
    long now = Math.floorDiv(beginUs, everyUs) * everyUs;
    if (now != begin) {
      end();
      begin = now;
    }
    if (rows >= limit) {
      return false;
    }
    if (read == maxRead) {
      isCut = true;
      return false;
    }
    read++;
    cells(topic)[field].add(cell, !newestFirst);
    return true;
  }

  private Cell[] cells(String topic) {
    Cell[] cells = open.get(topic);
    if (cells == null) {
      Fold.checkRoom(open.size(), fields);
      cells = new Cell[fields];
      for (int i = 0; i < fields; i++) {
        cells[i] = new Cell();
      }
      open.put(topic, cells);
    }
    return cells;
  }

  private void end() {
    if (!open.isEmpty()) {
      rows += buckets.isEmpty() ? 0 : open.size();
      buckets.add(new Rolled.Bucket(begin, open));
      open = new TreeMap<>();
    }
  }

  /** What came, when nothing comes any more. */
  List<Rolled.Bucket> buckets() {
    if (!isCut) {
      end();
    }
    return buckets;
  }

  /** The begin of the first bucket that is not whole because too much was read. */
  OptionalLong cutUs() {
    return isCut ? OptionalLong.of(begin) : OptionalLong.empty();
  }
}
