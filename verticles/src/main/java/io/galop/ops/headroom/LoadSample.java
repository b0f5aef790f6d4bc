package io.galop.ops.headroom;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * How much of each stage was used between two moments.
 *
 * @param atNs the second of them
 * @param loads of the stages that the node has
 */
public record LoadSample(long atNs, Map<LoadedStage, StageLoad> loads) {
  private static final double NS_PER_SECOND = 1e9;
  private static final double MS_PER_SECOND = 1e3;

  /** A collector works well as long as so much of the heap is free after it. */
  private static final double WANTED_FREE = 0.5;

  /** Who takes so much of what stages share is charged with all that is used of it. */
  private static final double MOST = 0.5;

  /**
   * What is shared and what waits are measured against, all above 0; and what a load test has
   * found.
   *
   * @param recordSeconds processor time for a record at the knee; 0 if it is not known
   * @param deliverySeconds the same for a record that a viewer is sent
   */
  public record Bounds(
      int processors,
      int eventLoops,
      double doorBytes,
      double enrichBytes,
      double logBytes,
      double recordSeconds,
      double deliverySeconds) {}

  /**
   * The loads between two readings of one process, the later one second.
   *
   * @param stages that the node has; others are left out
   */
  public static LoadSample between(
      LoadCounts before, LoadCounts now, Bounds bounds, Set<LoadedStage> stages) {
    double seconds = Math.max(1e-3, (now.atNs() - before.atNs()) / NS_PER_SECOND);
    Map<LoadedStage, StageLoad> all = new EnumMap<>(LoadedStage.class);
    all.put(LoadedStage.DOOR, new StageLoad(0, now.doorBytes() / bounds.doorBytes(), 0));
    double used = (now.processCpuNs() - before.processCpuNs()) / NS_PER_SECOND / seconds;
    double needed = needed(before, now, bounds, seconds, used);
    all.put(LoadedStage.LOG, log(before, now, bounds, seconds, needed));
    all.put(LoadedStage.BROADCAST, broadcast(before, now, seconds));
    all.put(LoadedStage.STORES, stores(before, now, seconds));
    all.put(
        LoadedStage.MEMORY,
        new StageLoad(0, (now.livePart() - (1 - WANTED_FREE)) / WANTED_FREE, 0));
    shared(all, before, now, bounds, seconds, used, needed);
    all.keySet().retainAll(stages);
    return new LoadSample(now.atNs(), Map.copyOf(all));
  }

  /**
   * Which part of the processor time that is used a full node would need for the same records. A
   * node that has time hands them on in small groups, at once, and each group costs by itself; a
   * full one makes larger groups. So a node is busy for most of its time long before it is full. 1
   * if no load test has found what a record costs.
   */
  private static double needed(
      LoadCounts before, LoadCounts now, Bounds bounds, double seconds, double used) {
    double records = (now.records() - before.records()) / seconds * bounds.recordSeconds();
    double deliveries = (now.sent() - before.sent()) / seconds * bounds.deliverySeconds();
    boolean isKnown = bounds.recordSeconds() > 0 || bounds.deliverySeconds() > 0;
    return isKnown && used > 0 ? Math.min(1, (records + deliveries) / used) : 1;
  }

  /** Groups grow with the load, so how much of its time the disk is in an fsync tells nothing. */
  private static StageLoad log(
      LoadCounts before, LoadCounts now, Bounds bounds, double seconds, double needed) {
    double fsyncs = now.fsyncs() - before.fsyncs();
    double each = fsyncs > 0 ? (now.fsyncSeconds() - before.fsyncSeconds()) / fsyncs : 0;
    return new StageLoad(
        needed * busiest(before.writerCpuNs(), now.writerCpuNs(), seconds),
        now.logBytes() / bounds.logBytes(),
        late(LoadedStage.LOG, each));
  }

  /** What waits, divided by what passes, is how long a record waits (Little's law). */
  private static StageLoad broadcast(LoadCounts before, LoadCounts now, double seconds) {
    double perSecond = Math.max(1, (now.published() - before.published()) / seconds);
    return new StageLoad(0, 0, late(LoadedStage.BROADCAST, now.waitingRecords() / perSecond));
  }

  private static StageLoad stores(LoadCounts before, LoadCounts now, double seconds) {
    return new StageLoad(
        busiest(before.sinkCpuNs(), now.sinkCpuNs(), seconds),
        0,
        late(LoadedStage.STORES, now.storeLagSeconds()));
  }

  /**
   * Scripts run on the event loops, and these on the processors: whoever takes most of one of them
   * is what has to become cheaper, and is charged with all of its use.
   */
  private static void shared(
      Map<LoadedStage, StageLoad> all,
      LoadCounts before,
      LoadCounts now,
      Bounds bounds,
      double seconds,
      double used,
      double needed) {
    double scripts = (now.scriptSeconds() - before.scriptSeconds()) / seconds;
    double ofLoops = part(scripts, sum(before.loopCpuNs(), now.loopCpuNs(), seconds));
    double ofProcess = part(scripts, used);
    double loop = busiest(before.loopCpuNs(), now.loopCpuNs(), seconds);
    double delay = late(LoadedStage.LOOPS, now.loopDelaySeconds());
    double processors = used / bounds.processors();
    boolean hasLoops = ofLoops >= MOST;
    boolean hasProcessors = ofProcess >= MOST;
    double ofEnrich = hasLoops ? Math.max(loop, scripts / bounds.eventLoops()) : loop * ofLoops;
    all.put(
        LoadedStage.ENRICH,
        new StageLoad(
            hasProcessors ? Math.max(ofEnrich, processors) : ofEnrich,
            now.enrichBytes() / bounds.enrichBytes(),
            hasLoops ? delay : 0));
    double loops = needed * (hasLoops ? loop * (1 - ofLoops) : loop);
    all.put(LoadedStage.LOOPS, new StageLoad(loops, 0, hasLoops ? 0 : delay));
    double others = hasProcessors ? processors * (1 - ofProcess) : processors;
    all.put(LoadedStage.PROCESSORS, StageLoad.busy(needed * others));
  }

  /** A thread that waits for a processor in a script works, and counts no processor time. */
  private static double part(double scripts, double all) {
    return scripts <= 0 ? 0 : scripts / Math.max(scripts, all);
  }

  private static double late(LoadedStage stage, double seconds) {
    return seconds * MS_PER_SECOND / stage.borneMs();
  }

  /** Of the thread that worked most; one that is new counts from now on. */
  private static double busiest(Map<Long, Long> before, Map<Long, Long> now, double seconds) {
    double most = 0;
    for (Map.Entry<Long, Long> thread : now.entrySet()) {
      most = Math.max(most, worked(before, thread, seconds));
    }
    return most;
  }

  private static double sum(Map<Long, Long> before, Map<Long, Long> now, double seconds) {
    return now.entrySet().stream().mapToDouble(thread -> worked(before, thread, seconds)).sum();
  }

  private static double worked(Map<Long, Long> before, Map.Entry<Long, Long> now, double seconds) {
    long then = before.getOrDefault(now.getKey(), now.getValue());
    return Math.max(0, now.getValue() - then) / NS_PER_SECOND / seconds;
  }
}
