package io.galop.loadtest.watch;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a sample says of the nodes, out of their own metrics. */
final class NodeFigures {
  private static final double MB = 1e6;

  private @Nullable NodeMetrics last;

  /** Adds its columns to a row. */
  void add(NodeMetrics now, double seconds, Map<String, Double> row) {
    waiting(now, row);
    row.put("heapMb", now.sum("jvm_memory_used_bytes", "area=\"heap\"") / MB);
    row.put("threads", now.sum("jvm_threads_live_threads"));
    row.put("connections", now.sum("galop_broadcast_connections"));
    for (String sink : now.labels("galop_persist_sink_lag_records", "sink")) {
      String label = "sink=\"" + sink + "\"";
      row.put("lag " + sink, now.sum("galop_persist_sink_lag_records", label));
    }
    if (last != null && seconds > 0) {
      rates(now, last, seconds, row);
    }
    last = now;
  }

  /** What each stage holds, without what waits behind it and is counted here too. */
  private static void waiting(NodeMetrics now, Map<String, Double> row) {
    double log = now.sum("galop_persist_log_queue_bytes");
    double enrich = Math.max(0, now.sum("galop_enrich_pending_bytes") - log);
    double records =
        now.sum("galop_ingest_in_flight_bytes") - now.sum("galop_ingest_in_flight_overhead_bytes");
    double door = Math.max(0, records - enrich - log);
    row.put(Stage.DOOR.waiting(), door / MB);
    row.put(Stage.ENRICH.waiting(), enrich / MB);
    row.put(Stage.LOG.waiting(), log / MB);
    row.put(Stage.BROADCAST.waiting(), now.sum("galop_persist_push_in_flight_bytes") / MB);
    row.put(Stage.STORES.waiting(), now.sum("galop_persist_sink_lag_bytes") / MB);
  }

  private void rates(NodeMetrics now, NodeMetrics before, double seconds, Map<String, Double> row) {
    row.put(
        "allocatedMbPerSecond",
        rate(now, before, "jvm_gc_memory_allocated_bytes_total", seconds) / MB);
    row.put("fsyncBusy", rate(now, before, "galop_persist_log_fsync_seconds_sum", seconds));
    row.put("scriptBusy", rate(now, before, "galop_enrich_script_calls_seconds_sum", seconds));
    row.put("storedPerSecond", rate(now, before, "galop_persist_sink_stored_total", seconds));
    row.put("placedPerSecond", rate(now, before, "galop_persist_records_total", seconds));
    row.put("pausedPerSecond", rate(now, before, "galop_ingest_paused_total", seconds));
    row.put("fsyncMs", each(now, before, "galop_persist_log_fsync_seconds"));
    row.put("scriptMs", each(now, before, "galop_enrich_script_calls_seconds"));
  }

  private double rate(NodeMetrics now, NodeMetrics before, String name, double seconds) {
    return Math.max(0, now.sum(name) - before.sum(name)) / seconds;
  }

  /** How long one took, in milliseconds. */
  private double each(NodeMetrics now, NodeMetrics before, String timer) {
    double count = now.sum(timer + "_count") - before.sum(timer + "_count");
    double sum = now.sum(timer + "_sum") - before.sum(timer + "_sum");
    return count <= 0 ? Double.NaN : 1e3 * sum / count;
  }
}
