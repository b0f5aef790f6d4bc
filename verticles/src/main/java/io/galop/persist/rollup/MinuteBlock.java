package io.galop.persist.rollup;

import io.galop.persist.fold.Cell;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The values of one field of a topic in one hour of event time, by the minute. As bytes, each
 * minute that has values is its number and its {@link Cell}. Guarded by whoever holds it.
 */
final class MinuteBlock {
  static final int MINUTES = 60;
  private static final int ENTRY_BYTES = 1 + Cell.BYTES;

  /** About what an empty one takes of the heap, with its key, and what each minute adds. */
  static final int EMPTY_HEAP_BYTES = 600;

  private static final int CELL_HEAP_BYTES = 80;

  private final @Nullable Cell[] cells = new Cell[MINUTES];
  private int filled;

  /** Whether the file lacks something of it. */
  private boolean isChanged;

  /**
   * Adds a value.
   *
   * @param minute of the hour
   * @return by how many bytes of heap it has grown
   */
  int add(int minute, double value, long timeUs) {
    Cell cell = cells[minute];
    int grown = 0;
    if (cell == null) {
      cell = new Cell();
      cells[minute] = cell;
      filled++;
      grown = CELL_HEAP_BYTES;
    }
    cell.add(value, timeUs, false);
    return grown;
  }

  /** A value is about to be added; returns whether the file had all until now. */
  boolean change() {
    boolean had = !isChanged;
    isChanged = true;
    return had;
  }

  /** The file has all of it. */
  void written() {
    isChanged = false;
  }

  /** The values by the minute, not copied; null where there are none. */
  @Nullable Cell[] cells() {
    return cells;
  }

  /** The same, copied. */
  @Nullable Cell[] copy() {
    return of(toBytes()).cells;
  }

  /** About what it takes of the heap. */
  int heapBytes() {
    return EMPTY_HEAP_BYTES + filled * CELL_HEAP_BYTES;
  }

  /** For {@link #of}. */
  byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(filled * ENTRY_BYTES);
    for (int minute = 0; minute < MINUTES; minute++) {
      Cell cell = cells[minute];
      if (cell != null) {
        cell.write(bytes.put((byte) minute));
      }
    }
    return bytes.array();
  }

  /**
   * Of what {@link #toBytes} gave.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static MinuteBlock of(byte[] bytes) {
    MinuteBlock block = new MinuteBlock();
    if (bytes.length % ENTRY_BYTES != 0) {
      throw new IllegalArgumentException("a block of minutes has " + bytes.length + " bytes");
    }
    ByteBuffer from = ByteBuffer.wrap(bytes);
    while (from.hasRemaining()) {
      int minute = from.get();
      if (minute < 0 || minute >= MINUTES || block.cells[minute] != null) {
        throw new IllegalArgumentException("a block of minutes has the minute " + minute);
      }
      block.cells[minute] = Cell.read(from);
      block.filled++;
    }
    return block;
  }
}
