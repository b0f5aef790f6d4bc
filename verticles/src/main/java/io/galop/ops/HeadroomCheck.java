package io.galop.ops;

import io.galop.config.Role;
import io.galop.config.persist.LogConfig;
import io.galop.node.Node;
import io.galop.ops.headroom.Headroom;
import io.galop.ops.headroom.HeadroomJson;
import io.galop.ops.headroom.LoadCounts;
import io.galop.ops.headroom.LoadSample;
import io.galop.ops.headroom.LoadSample.Bounds;
import io.galop.ops.headroom.LoadedStage;
import io.galop.ops.headroom.LogGrowth;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says once a second how much of the node is used and what gives way first: as the report {@code
 * headroom}, which other nodes may ask for, and as meters. What it says may be read by any thread.
 */
final class HeadroomCheck implements Check {
  static final String REPORT = "headroom";

  /** As late as a store is when its warning ends. */
  private static final double BEHIND_SECONDS = 5;

  private static final double MICROS_PER_SECOND = 1e6;

  private final Node node;
  private final LoadReader reader = new LoadReader();
  private final Set<LoadedStage> stages;
  private final Deque<LoadSample> samples = new ArrayDeque<>();
  private final LogGrowth growth = new LogGrowth();
  private @Nullable LoadCounts before;
  private volatile Headroom headroom = Headroom.UNKNOWN;
  private volatile OptionalLong fullInSeconds = OptionalLong.empty();

  HeadroomCheck(Node node) {
    this.node = node;
    this.stages = stages(node);
    node.reports()
        .share(REPORT, asked -> Future.succeededFuture(HeadroomJson.of(headroom, fullInSeconds)));
    for (LoadedStage stage : stages) {
      Gauge.builder("galop.utilisation", this, check -> check.headroom.utilisation(stage))
          .description("1: the stage takes no more, by what it does and what waits there; 0: idle")
          .tag("stage", stage.word())
          .register(node.meters());
    }
    if (node.config().runs(Role.PERSIST)) {
      Gauge.builder("galop.persist.log.full.in", this, HeadroomCheck::untilFull)
          .description("Seconds until the Log has no room, as it grows now; +Inf: it stays in it")
          .baseUnit("seconds")
          .register(node.meters());
    }
  }

  private static Set<LoadedStage> stages(Node node) {
    Set<LoadedStage> found =
        EnumSet.of(LoadedStage.LOOPS, LoadedStage.PROCESSORS, LoadedStage.MEMORY);
    if (node.config().runs(Role.INGEST)) {
      found.add(LoadedStage.DOOR);
    }
    if (node.config().runs(Role.ENRICH)) {
      found.add(LoadedStage.ENRICH);
    }
    if (node.config().runs(Role.PERSIST)) {
      found.addAll(List.of(LoadedStage.LOG, LoadedStage.STORES));
    }
    if (node.config().runs(Role.BROADCAST)) {
      found.add(LoadedStage.BROADCAST);
    }
    return found;
  }

  @Override
  public void look(MeterSums meters) {
    LoadCounts now = reader.read(meters);
    if (before != null) {
      samples.addLast(LoadSample.between(before, now, bounds(), stages));
      if (samples.size() > Headroom.SAMPLES) {
        samples.removeFirst();
      }
      headroom = Headroom.of(List.copyOf(samples));
    }
    before = now;
    if (node.config().runs(Role.PERSIST)) {
      fullInSeconds = log(meters, now);
    }
  }

  private Bounds bounds() {
    return new Bounds(
        Runtime.getRuntime().availableProcessors(),
        node.config().node().allEventLoops(),
        node.config().ingest().maxInFlightBytes(),
        node.config().enrich().maxPendingBytes(),
        node.config().persist().log().queueBytes(),
        node.config().headroom().recordMicros() / MICROS_PER_SECOND,
        node.config().headroom().deliveryMicros() / MICROS_PER_SECOND);
  }

  private OptionalLong log(MeterSums meters, LoadCounts now) {
    LogConfig config = node.config().persist().log();
    long size = meters.sum("galop.persist.log.size");
    long room = Math.min(config.quotaBytes() - size, usable() - config.minFreeBytes());
    boolean isHeld = now.storeLagSeconds() > BEHIND_SECONDS;
    return growth.secondsUntilFull(now.atNs(), size, room, config.retentionBytes(), isHeld);
  }

  private long usable() {
    try {
      return Files.getFileStore(Path.of(node.config().node().dataDir())).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  private double untilFull() {
    OptionalLong seconds = fullInSeconds;
    return seconds.isPresent() ? seconds.getAsLong() : Double.POSITIVE_INFINITY;
  }
}
