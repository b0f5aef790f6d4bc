package io.galop.latency;

import io.galop.record.DoorStamp;
import io.galop.record.TraceContext;

/** Who is told where records of traces are: an add-on, if one is there and configured. */
public interface TraceSink {
  /**
   * A Batch with a record of a trace has reached a stage.
   *
   * @param trace the trace
   * @param stage its word, as {@code placed}
   * @param stamp the door, and whose clock said when it read the record
   * @param transport the viewer's, if the stage has one
   * @param beginUs when the door read the record, and
   * @param endUs when the stage was reached, both microseconds since 1970 by this node's clock
   * @param isClockKnown whether the door's clock is known well enough to tell {@code beginUs}; if
   *     not it is what that clock said, or {@code endUs} if that is earlier
   */
  record Reached(
      TraceContext trace,
      String stage,
      DoorStamp stamp,
      String transport,
      long beginUs,
      long endUs,
      boolean isClockKnown) {}

  /** A record has reached a stage. Never blocks and never throws; from any thread. */
  void reached(Reached reached);
}
