package io.galop.cli.replay;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The records of a file in their order. */
interface Source extends AutoCloseable {
  /** An event time that is not there. */
  long NO_TIME = Long.MIN_VALUE;

  /** What a line of the file holds. */
  sealed interface Item {
    /** The number of the line in the file, from 1. */
    long line();
  }

  /**
   * A record.
   *
   * @param timeUs event time in microseconds since the epoch, or {@link #NO_TIME}
   * @param data a JSON object
   * @param topic empty where the file does not say
   * @param id empty where the file does not say
   */
  record Entry(long line, long timeUs, byte[] data, String topic, String id) implements Item {
    Entry(long line, long timeUs, byte[] data) {
      this(line, timeUs, data, "", "");
    }
  }

  /**
   * A line that cannot be read; the others can.
   *
   * @param problem what is wrong with it, as the rest of a sentence about the line
   */
  record Malformed(long line, String problem) implements Item {}

  /** The next record or bad line; null at the end. Empty lines are passed over. */
  @Nullable Item next() throws IOException;

  /** Passes over lines up to and including this number, without looking into them. */
  void skipTo(long line) throws IOException;

  /** How far the file was read, in bytes. */
  long offset();

  @Override
  void close() throws IOException;
}
