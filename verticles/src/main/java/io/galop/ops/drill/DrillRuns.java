package io.galop.ops.drill;

import io.galop.node.Node;
import io.galop.ops.cluster.ExplainEndpoint;
import io.galop.ops.drill.DrillRun.Way;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/** The door, the viewers, the relays and the questions of a node's drills. On one event loop. */
final class DrillRuns {
  private final Node node;
  private final Loop loop;
  private final DrillClients clients;
  private final DrillDoor door;
  private final ExplainEndpoint nodes;
  private final RelaysAsked relays;

  DrillRuns(Node node, Loop loop) {
    this.node = node;
    this.loop = loop;
    this.clients = new DrillClients(node, loop);
    this.door = clients.door();
    this.nodes = new ExplainEndpoint(loop.vertx(), node, loop);
    this.relays = new RelaysAsked(node, loop);
  }

  /** Why this node has none; empty: it has. */
  String off() {
    return clients.off();
  }

  /** Watches those of nodes inside from now on, where this is a relay. */
  void onRelayed(RelayDrills.Ended onEnd) {
    if (node.config().broadcast().link().isGiven()) {
      new RelayDrills(node, loop, clients, onEnd).offer();
    }
  }

  /** See {@link DrillDoor#word}. */
  String door() {
    return door.word();
  }

  /** Those that are served here and drilled. */
  Set<DrillStage> transports() {
    return clients.transports();
  }

  /** Runs one, which relays watch if they can; ends when it is over. */
  Future<DrillVerdict> run(DrillPlan plan, Way way) {
    if (plan.fault() == DrillFault.REFUSED) {
      return runHere(plan, way); // there is nothing for viewers to see
    }
    RelayOrder order = RelayOrder.of(plan, way);
    return relays
        .watch(order)
        .compose(
            watching ->
                runHere(plan, way)
                    .compose(
                        verdict ->
                            end(order, watching, verdict)
                                .map(said -> verdict.with(said, !plan.transports().isEmpty()))));
  }

  private Future<List<RelaySaid>> end(
      RelayOrder order, List<RelaySaid> watching, DrillVerdict verdict) {
    if (watching.isEmpty()) {
      return Future.succeededFuture(watching);
    }
    boolean isSent = !verdict.isFailed(DrillStage.DOOR) && !verdict.isFailed(DrillStage.ENRICH);
    return isSent ? relays.end(order) : Future.succeededFuture(relays.give(order, watching));
  }

  private Future<DrillVerdict> runHere(DrillPlan plan, Way way) {
    return new DrillRun(loop, door, nodes, way, plan, events -> clients.viewers(way, events))
        .start();
  }
}
