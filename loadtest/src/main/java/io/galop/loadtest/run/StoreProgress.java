package io.galop.loadtest.run;

import io.galop.loadtest.watch.NodeMetrics;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/** How far the stores of the nodes are, by the nodes' metrics. */
final class StoreProgress {
  private static final String STORED = "galop_persist_sink_stored_total";

  private final List<InetSocketAddress> management;

  StoreProgress(List<InetSocketAddress> management) {
    this.management = management;
  }

  /** Whether the nodes have stores that follow the Log. */
  boolean areThere() throws InterruptedException {
    return !sinks(NodeMetrics.of(management)).isEmpty();
  }

  /** What the store that is furthest behind has stored; 0 without stores. */
  double stored() throws InterruptedException {
    NodeMetrics now = NodeMetrics.of(management);
    return sinks(now).stream()
        .mapToDouble(sink -> now.sum(STORED, "sink=\"" + sink + "\""))
        .min()
        .orElse(0);
  }

  private static Set<String> sinks(NodeMetrics now) {
    return now.labels(STORED, "sink");
  }

  /** Whether every store has what was placed. */
  boolean haveAll() throws InterruptedException {
    NodeMetrics now = NodeMetrics.of(management);
    return now.sum("galop_persist_sink_lag_records") <= 0
        && now.sum("galop_persist_sink_lag_bytes") <= 0;
  }
}
