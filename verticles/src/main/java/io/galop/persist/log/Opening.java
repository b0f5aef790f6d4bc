package io.galop.persist.log;

import io.galop.config.persist.LogConfig;
import io.galop.node.Readiness;
import io.galop.persist.log.file.DirectoryLock;
import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.EntryFormat;
import io.galop.persist.log.file.EpochEnd;
import io.galop.persist.log.file.DurableEpochs;
import io.galop.persist.log.file.Extent;
import io.galop.persist.log.file.ExtentFile;
import io.galop.persist.log.file.LogException;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.SegmentHeader;
import io.galop.persist.log.file.Segments;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Puts a Log together: lock, recovery, first segment, threads. */
final class Opening {
  private final Path directory;
  private final LogConfig config;
  private final int shards;
  private final LogMetrics metrics;
  private final MeterRegistry meters;
  private final LogHealth health;
  private final Disk disk;

  Opening(
      Path directory,
      LogConfig config,
      int shards,
      MeterRegistry meters,
      Readiness readiness,
      Disk disk) {
    this.directory = directory;
    this.config = config;
    this.shards = shards;
    this.metrics = new LogMetrics(meters);
    this.meters = meters;
    this.health = new LogHealth(readiness);
    this.disk = disk;
  }

  OpenLog run() {
    checkTablesFit();
    health.recovering();
    try {
      Files.createDirectories(directory);
      DirectoryLock lock = DirectoryLock.take(directory);
      try {
        OpenLog open = recover(lock);
        health.open();
        return open;
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new LogException("the Log in " + directory + " cannot be opened", e);
    }
  }

  private void checkTablesFit() {
    int bytes = shards * EntryFormat.epochsBytes(DurableEpochs.KEPT);
    if (bytes > config.segmentBytes() / 4) {
      throw new LogException(
          "persist.log.segmentBytes must be at least %d for %d shards; it is %d"
              .formatted(4 * bytes, shards, config.segmentBytes()));
    }
  }

  private OpenLog recover(DirectoryLock lock) throws IOException {
    Segments segments = new Segments(directory, disk);
    Recovery recovery = new Recovery(segments, config, shards);
    LogRecovery found = recovery.run();
    CursorLimits limits = CursorLimits.open(directory, disk, found.end());
    metrics.damaged.increment(found.damages().size());
    List<RecoveredShard> recovered = recovered(recovery.tables());
    SegmentHeader template = recovery.template();
    Spare spare = new Spare(segments, config);
    SegmentWriter out = begin(segments, spare, template, recovery.tables());
    ExtentFile extent = extent(recovery, segments, out.position());
    AppendQueue queue = new AppendQueue();
    Durable durable = new Durable();
    LogWriter writer = new LogWriter(queue, out, extent, durable, metrics, health);
    Retention retention = new Retention(segments, extent, config);
    Thread thread = new Thread(writer, "galop-log-writer");
    thread.setDaemon(true);
    thread.start();
    OpenLog open =
        new OpenLog(
            template.log(),
            found,
            recovered,
            lock,
            segments,
            retention,
            limits,
            extent,
            spare,
            new Keeper(retention, new Presence(segments, spare, queue, metrics, health), spare),
            queue,
            durable,
            writer,
            thread,
            metrics);
    open.watch(meters, 2L * config.queueBytes());
    return open;
  }

  private ExtentFile extent(Recovery recovery, Segments segments, LogPosition end) {
    long oldest = segments.atOrAfter(0).map(Segment::sequence).orElse(1L);
    Extent found = new Extent(recovery.noted(), recovery.template().log(), oldest, end);
    return ExtentFile.open(directory, disk, found);
  }

  private SegmentWriter begin(
      Segments segments, Spare spare, SegmentHeader template, DurableEpochs[] tables)
      throws IOException {
    spare.prepare();
    boolean needsSegment = segments.newest().map(Segment::isSealed).orElse(true);
    if (needsSegment && spare.isNoRoom()) {
      throw new LogException(
          "there is no room in "
              + directory
              + " for a segment of "
              + config.segmentBytes()
              + " bytes; free space, or change persist.log.quotaBytes or .minFreeBytes");
    }
    SegmentWriter out = new SegmentWriter(segments, spare, template, tables);
    try {
      out.begin();
    } catch (IOException e) {
      out.close();
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return out;
  }

  private List<RecoveredShard> recovered(DurableEpochs[] tables) {
    List<RecoveredShard> all = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      List<EpochEnd> ends = tables[shard].oldestFirst();
      Collections.reverse(ends);
      all.add(new RecoveredShard(shard, ends));
    }
    return all;
  }
}
