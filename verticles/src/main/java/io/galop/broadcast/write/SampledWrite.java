package io.galop.broadcast.write;

import io.galop.latency.LatencyStage;
import io.galop.latency.Lateness;
import io.galop.latency.Lateness.Uncounted;
import io.galop.record.DoorStamp;

/** A record on its way out of one Outbox, which stands for what all viewers are sent with it. */
final class SampledWrite {
  private final Lateness lateness;
  private final String transport;
  private final DoorStamp stamp;
  private final int records;
  private int bytes;

  /**
   * @param records how many it stands for
   * @param bytes how many have to leave, its own the last
   */
  SampledWrite(Lateness lateness, String transport, DoorStamp stamp, int records, int bytes) {
    this.lateness = lateness;
    this.transport = transport;
    this.stamp = stamp;
    this.records = records;
    this.bytes = bytes;
  }

  /** So many bytes have left or never will; returns whether it is still on its way. */
  boolean isUnderWay(int left, boolean isSent) {
    bytes -= left;
    if (!isSent) {
      giveUp();
    } else if (bytes <= 0) {
      lateness.record(LatencyStage.SOCKET, transport, stamp, records);
    }
    return isSent && bytes > 0;
  }

  /** Its viewer does not keep up: that says nothing of the node. */
  void giveUp() {
    lateness.uncounted(Uncounted.BEHIND, records);
  }
}
