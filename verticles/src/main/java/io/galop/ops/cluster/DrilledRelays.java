package io.galop.ops.cluster;

import io.galop.node.DrillReports;
import io.galop.node.Node;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * Tells the relays of a drill, by all nodes that dial some. Belongs to the event loop of the port.
 */
public final class DrilledRelays {
  /** Less than a node waits for another's report. */
  private static final long TIMEOUT_MS = 2_000;

  private final ClusterReports reports;

  public DrilledRelays(Node node, Loop loop) {
    this.reports = new ClusterReports(loop.vertx(), node, loop);
  }

  /** What each node that dials relays answers, by its name; never fails. */
  public Future<Map<String, JsonObject>> tell(JsonObject order) {
    Map<String, String> parameters = DrillReports.parameters(order, TIMEOUT_MS);
    return reports
        .ask(member -> !member.roles().isEmpty(), DrillReports.RELAYS, parameters)
        .map(ClusterReports.Answers::given);
  }
}
