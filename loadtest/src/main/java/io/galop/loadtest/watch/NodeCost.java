package io.galop.loadtest.watch;

import io.galop.loadtest.site.Site;
import io.galop.loadtest.targets.ProcessCost;
import java.io.IOException;

/**
 * What all nodes together have used so far: as the kernel tells it, and of nodes that were not
 * started here as far as they tell it themselves. What is not to be had is NaN.
 *
 * @param cpuMicros processor time, in microseconds
 * @param residentBytes resident memory
 * @param waits context switches because a thread had to wait
 * @param preemptions context switches because another had its turn
 */
public record NodeCost(double cpuMicros, double residentBytes, double waits, double preemptions) {
  private static final String CPU = "process_cpu_time_ns_total";
  private static final double NANOS_PER_MICRO = 1e3;

  public static NodeCost of(Site site) throws IOException, InterruptedException {
    if (site.pids().isEmpty()) {
      double nanos = NodeMetrics.of(site.management()).sum(CPU);
      double micros = nanos > 0 ? nanos / NANOS_PER_MICRO : Double.NaN;
      return new NodeCost(micros, Double.NaN, Double.NaN, Double.NaN);
    }
    ProcessCost cost = ProcessCost.of(site.pids());
    return new NodeCost(cost.cpuMicros(), cost.residentBytes(), cost.waits(), cost.preemptions());
  }

  /** How many processors were used since then. */
  public double processors(NodeCost before, double seconds) {
    return (cpuMicros - before.cpuMicros) / 1e6 / seconds;
  }

  /** Context switches since then. */
  public double switches(NodeCost before) {
    return waits - before.waits + preemptions - before.preemptions;
  }
}
