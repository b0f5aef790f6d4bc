package io.galop.broadcast.write;

import io.galop.latency.Latencies;
import io.galop.latency.Latencies.Uncounted;
import io.galop.latency.LatencyStage;
import io.galop.record.Stamp;

/** A record on its way out of one Outbox, which stands for what all viewers are sent with it. */
final class SampledWrite {
  private final Latencies latencies;
  private final String transport;
  private final Stamp stamp;
  private final int records;
  private int bytes;

  /**
   * @param records how many it stands for
   * @param bytes how many have to leave, its own the last
   */
  SampledWrite(Latencies latencies, String transport, Stamp stamp, int records, int bytes) {
    this.latencies = latencies;
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
      latencies.record(LatencyStage.SOCKET, transport, stamp, records);
    }
    return isSent && bytes > 0;
  }

  /** Its viewer does not keep up: that says nothing of the node. */
  void giveUp() {
    latencies.uncounted(Uncounted.BEHIND, records);
  }
}
