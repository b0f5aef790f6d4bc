package io.galop.loadtest.run;

import io.galop.loadtest.site.Site;
import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.watch.NodeCost;
import java.io.IOException;

/** What the nodes and this process have spent until a moment. */
record StepCost(NodeCost nodes, long ownMicros) {

  static StepCost of(Site site) throws IOException, InterruptedException {
    return new StepCost(NodeCost.of(site), ProcessCost.cpuMicros(ProcessHandle.current().pid()));
  }

  /** What was spent after an earlier moment. */
  Since since(StepCost before) {
    return new Since(before, this);
  }

  /** What was spent between two moments. */
  record Since(StepCost before, StepCost after) {
    double serverProcessors(double seconds) {
      return after.nodes.processors(before.nodes, seconds);
    }

    double ownProcessors(double seconds) {
      return (after.ownMicros - before.ownMicros) / 1e6 / seconds;
    }

    double switches() {
      return after.nodes.switches(before.nodes);
    }
  }
}
