package io.galop.persist.rollup;

import io.galop.persist.fold.Cell;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.ByteBuffer;

/**
 * A row as it travels between nodes: in the form of a record, so that pages and their order are
 * those of records. The id is the epoch, the time the begin of the bucket, and the data are the
 * cells, one for each field, which are no JSON. Of two nodes' rows with the same time, id and topic
 * the one with the first Position counts: the more values a row has, the earlier that is.
 */
public final class RolledRow {
  private RolledRow() {}

  static Placed of(long beginUs, long epoch, String id, String topic, Cell[] cells) {
    ByteBuffer data = ByteBuffer.allocate(cells.length * Cell.BYTES);
    long values = 0;
    for (Cell cell : cells) {
      cell.write(data);
      values += cell.count();
    }
    return new Placed(
        new Position(0, epoch, Long.MAX_VALUE - values),
        new Record(id, topic, beginUs, data.array()));
  }

  /** The cells of a row. */
  public static Cell[] cells(byte[] data) {
    ByteBuffer from = ByteBuffer.wrap(data);
    Cell[] cells = new Cell[data.length / Cell.BYTES];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = Cell.read(from);
    }
    return cells;
  }
}
