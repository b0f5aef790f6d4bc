package io.galop.ops;

import io.galop.node.Node;
import io.galop.record.Reason;
import io.micrometer.core.instrument.Tag;
import java.util.List;
import java.util.Locale;

/**
 * Whether the doors refuse what is good, here or since the owner of a shard elsewhere does. While a
 * balancer sends nothing, nothing is refused: then the node is tried again after some seconds.
 */
final class RefusalCheck implements Check {
  private static final String PART = "ingest";
  private static final int LOOKS = 5;
  private final Node node;
  private final Recent overQuota = new Recent(LOOKS);
  private final Recent unavailable = new Recent(LOOKS);
  private final Recent acknowledged = new Recent(LOOKS);
  private int full;

  RefusalCheck(Node node) {
    this.node = node;
  }

  @Override
  public void look(MeterSums meters) {
    // What a publisher sends beyond its own quota is its own fault, and said where it is counted.
    long own = meters.sum("galop.ingest.publisher.over.quota");
    long noRoom = overQuota.grownTo(rejected(meters, Reason.OVER_QUOTA) - own);
    long noAnswer = unavailable.grownTo(rejected(meters, Reason.UNAVAILABLE));
    long taken = acknowledged.grownTo(meters.sum("galop.ingest.acknowledged"));
    long max = node.config().ingest().maxInFlightBytes();
    boolean isFull = meters.sum("galop.ingest.in.flight.bytes") >= max - max / 8;
    full = isFull && taken == 0 ? full + 1 : 0;
    if (noRoom + noAnswer > 0) {
      sayRefused(noRoom, noAnswer, taken);
    } else if (full >= LOOKS) {
      node.readiness()
          .refuse(
              PART,
              "the doors are full (ingest.maxInFlightBytes), and nothing was acknowledged for %d s"
                  .formatted(full),
              "see whether the nodes that store answer, and whether clients send without ending");
    } else {
      node.readiness().calm(PART, "no record is refused");
    }
  }

  private void sayRefused(long noRoom, long noAnswer, long taken) {
    String what =
        String.format(
            Locale.ROOT,
            "in the last %d s %,d refusals (over_quota %,d, unavailable %,d), and %,d records"
                + " taken",
            LOOKS,
            noRoom + noAnswer,
            noRoom,
            noAnswer,
            taken);
    String advice =
        noRoom > 0
            ? "a node that stores has no room for its Log: its status says which and why"
            : "nodes that store do not answer in time: their status says why";
    if (taken == 0) {
      node.readiness().refuse(PART, what, advice);
    } else {
      node.readiness().warn(PART, what, advice);
    }
  }

  private static long rejected(MeterSums meters, Reason reason) {
    return Math.round(
        meters.find("galop.ingest.rejected", List.of(Tag.of("reason", reason.word()))).orElse(0.0));
  }
}
