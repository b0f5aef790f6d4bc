package io.galop.loadtest.scenario;

import io.galop.loadtest.client.ViewerTransport;

/** Who watches; all viewers see all topics. */
public record ViewerPlan(
    @Doc("Number of viewers.") @Default("1") @Range(from = 0, to = 19_000) int count,
    @Doc("Their transport.") @Default("websocket") ViewerTransport transport) {

  public ViewerPlan withCount(int other) {
    return new ViewerPlan(other, transport);
  }
}
