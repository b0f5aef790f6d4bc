package io.galop.persist.log.file;

/**
 * A place between two entries of the Log of one node.
 *
 * @param segment the sequence number of the segment, from 1; 0 stands before everything
 * @param offset bytes from the start of the segment's file
 */
public record LogPosition(long segment, long offset) implements Comparable<LogPosition> {

  /** Before everything, whatever has been freed since. */
  public static final LogPosition START = new LogPosition(0, 0);

  @Override
  public int compareTo(LogPosition other) {
    int bySegment = Long.compare(segment, other.segment);
    return bySegment != 0 ? bySegment : Long.compare(offset, other.offset);
  }

  @Override
  public String toString() {
    return segment + ":" + offset;
  }
}
