package io.galop.ops;

import io.galop.ledger.ClosedMinute;
import io.galop.ledger.NodeLedger;
import io.galop.node.Node;
import io.micrometer.core.instrument.Gauge;
import java.util.List;
import java.util.Optional;

/** Closes the minutes of the Ledger, and says of one that does not balance for an hour. */
final class LedgerCheck implements Check {
  private static final String PART = "ledger";
  private static final int MINUTES = 60;

  private final Node node;

  LedgerCheck(Node node) {
    this.node = node;
    Gauge.builder("galop.ledger.residual", node.ledger(), ledger -> residual(lastHour(ledger)))
        .description("Records of the last hour that were lost or doubled between two stages")
        .register(node.meters());
  }

  private static List<ClosedMinute> lastHour(NodeLedger ledger) {
    List<ClosedMinute> all = ledger.minutes();
    return all.subList(Math.max(0, all.size() - MINUTES), all.size());
  }

  private static long residual(List<ClosedMinute> minutes) {
    return minutes.stream().mapToLong(ClosedMinute::residual).sum();
  }

  @Override
  public void look(MeterSums meters) {
    node.ledger().look();
    List<ClosedMinute> minutes = lastHour(node.ledger());
    Optional<ClosedMinute> last =
        minutes.stream().filter(minute -> minute.residual() > 0).reduce((one, next) -> next);
    if (last.isPresent()) {
      node.readiness()
          .warn(
              PART,
              LedgerReport.sentence(last.get()),
              "'galop ledger' shows what was counted; look for faults of the node at that time");
    } else {
      node.readiness().calm(PART, "every minute of the last hour balances");
    }
  }
}
