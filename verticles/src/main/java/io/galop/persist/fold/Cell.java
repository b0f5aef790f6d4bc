package io.galop.persist.fold;

import java.nio.ByteBuffer;

/**
 * The values of one field of a topic in one bucket, as doubles. The sum carries what rounding left
 * (Neumaier), so an average is exact to a double's 15 digits however many values there are. For one
 * thread at a time.
 */
public final class Cell {
  /** What {@link #write} takes. */
  public static final int BYTES = 7 * Long.BYTES;

  private double min;
  private double max;
  private double sum;
  private double rest;
  private double last;
  private long count;

  /** The time of {@link #last}. */
  private long lastUs = Long.MIN_VALUE;

  /**
   * Adds a value.
   *
   * @param newestFirst of two of one time the one that comes first is the last, not the second
   */
  public void add(double value, long timeUs, boolean newestFirst) {
    if (count == 0 || timeUs > lastUs || timeUs == lastUs && !newestFirst) {
      last = value;
      lastUs = timeUs;
    }
    spread(value, value);
    plus(value);
    count++;
  }

  /**
   * Adds the values of another cell.
   *
   * @param newestFirst as of the other method
   */
  public void add(Cell other, boolean newestFirst) {
    if (other.isEmpty()) {
      return;
    }
    if (isEmpty() || other.lastUs > lastUs || other.lastUs == lastUs && !newestFirst) {
      last = other.last;
      lastUs = other.lastUs;
    }
    spread(other.min, other.max);
    plus(other.sum);
    plus(other.rest);
    count += other.count;
  }

  private void spread(double least, double most) {
    min = count == 0 ? least : Math.min(min, least);
    max = count == 0 ? most : Math.max(max, most);
  }

  private void plus(double value) {
    double next = sum + value;
    rest += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** How many values there are. */
  public long count() {
    return count;
  }

  /** May be infinite where the sum is. */
  public double get(Aggregate aggregate) {
    return switch (aggregate) {
      case MIN -> min;
      case MAX -> max;
      case AVG -> (sum + rest) / count;
      case LAST -> last;
      case COUNT -> count;
    };
  }

  /** As {@link #BYTES} bytes, for {@link #read}. */
  public void write(ByteBuffer to) {
    to.putLong(count).putLong(lastUs).putDouble(last);
    to.putDouble(min).putDouble(max).putDouble(sum).putDouble(rest);
  }

  /** Of what {@link #write} gave. */
  public static Cell read(ByteBuffer from) {
    Cell cell = new Cell();
    cell.count = from.getLong();
    cell.lastUs = from.getLong();
    cell.last = from.getDouble();
    cell.min = from.getDouble();
    cell.max = from.getDouble();
    cell.sum = from.getDouble();
    cell.rest = from.getDouble();
    return cell;
  }
}
