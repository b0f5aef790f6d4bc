package io.galop.ops;

import io.galop.ops.headroom.LoadCounts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads what a node has counted that says how much of it is used. On one thread. */
final class LoadReader {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Optional<com.sun.management.OperatingSystemMXBean> process =
      Optional.of(ManagementFactory.getOperatingSystemMXBean())
          .filter(com.sun.management.OperatingSystemMXBean.class::isInstance)
          .map(com.sun.management.OperatingSystemMXBean.class::cast);

  LoadCounts read(MeterSums meters) {
    Map<Long, Long> loops = new HashMap<>();
    Map<Long, Long> writers = new HashMap<>();
    Map<Long, Long> sinks = new HashMap<>();
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null) {
        put(loops, "vert.x-eventloop", thread);
        put(writers, "galop-log-write", thread);
        put(sinks, "galop-sink", thread);
      }
    }
    double pending = meters.sum("galop.enrich.pending");
    double logBytes = meters.sum("galop.persist.log.queue");
    double records =
        meters.sum("galop.ingest.in.flight.bytes")
            - meters.sum("galop.ingest.in.flight.overhead.bytes");
    return new LoadCounts(
        System.nanoTime(),
        process.map(com.sun.management.OperatingSystemMXBean::getProcessCpuTime).orElse(0L),
        loops,
        writers,
        sinks,
        meters.seconds("galop.enrich.script.calls"),
        meters.seconds("galop.persist.log.fsync"),
        meters.sum("galop.persist.log.fsync"),
        Math.max(meters.sum("galop.ingest.records"), meters.sum("galop.persist.records")),
        meters.sum("galop.broadcast.sent"),
        meters.sum("galop.broadcast.published"),
        meters.sum("galop.broadcast.waiting"),
        Math.max(0, records - pending),
        Math.max(0, meters.max("galop.enrich.pending") - logBytes),
        logBytes,
        meters.most("galop.persist.sink.lag.seconds"),
        meters.most("galop.loop.delay.seconds"),
        meters.most("jvm.gc.live.data.size") / Math.max(1, meters.most("jvm.gc.max.data.size")));
  }

  private void put(Map<Long, Long> cpuNs, String name, ThreadInfo thread) {
    if (thread.getThreadName().startsWith(name)) {
      long ns = threads.getThreadCpuTime(thread.getThreadId());
      if (ns >= 0) {
        cpuNs.put(thread.getThreadId(), ns);
      }
    }
  }
}
