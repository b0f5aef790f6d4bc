package io.galop.loadtest.scenario;

import io.galop.loadtest.client.ViewerTransport;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Who watches; all viewers see all topics. */
public record ViewerPlan(
    @Doc("Number of viewers.") @Default("1") @Range(min = 0, max = 19_000) int count,
    @Doc("Their transport.") @Default("websocket") ViewerTransport transport) {

  public ViewerPlan withCount(int other) {
    return new ViewerPlan(other, transport);
  }
}
