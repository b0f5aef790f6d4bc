package io.galop.ops;

import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.ops.access.Operators;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Looks at what the stages have counted, once a second, and says what an operator has to know: that
 * records are refused, that the disk is nearly full, that records become dead letters, that a
 * certificate ends; and how much of the node is used. Whatever a part knows by itself it says
 * itself. On one thread that may block.
 */
final class Watch {
  private final Node node;
  private final List<Check> checks;

  Watch(Node node, Operators operators) {
    this.node = node;
    this.checks =
        List.of(
            node.config().runs(Role.PERSIST) ? new RoomCheck(node) : meters -> {},
            node.config().runs(Role.INGEST) ? new RefusalCheck(node) : meters -> {},
            new LetterCheck(node),
            node.config().runs(Role.BROADCAST) ? new SilenceCheck(node) : meters -> {},
            node.config().runs(Role.BROADCAST) ? new ViewerCheck(node) : meters -> {},
            new LedgerCheck(node),
            new HeadroomCheck(node),
            new CertificateCheck(node),
            new ConditionMeters(node),
            new OperatorCheck(node, operators));
  }

  /** Fits {@link Callable}. */
  Void look() {
    MeterSums meters = new MeterSums(node.meters());
    checks.forEach(check -> check.look(meters));
    return null;
  }
}
