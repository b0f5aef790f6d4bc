package io.galop.persist.log;

import io.galop.config.persist.LogConfig;
import io.galop.persist.log.file.ExtentFile;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.Segments;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Frees the oldest segments once every reader with a cursor has passed them. */
final class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
  private final List<LogCursor> cursors = new CopyOnWriteArrayList<>();
  private final Segments segments;
  private final ExtentFile extent;
  private volatile LogConfig config;

  /** Null until it is started. */
  private volatile @Nullable LongUnaryOperator clock;

  Retention(Segments segments, ExtentFile extent, LogConfig config) {
    this.segments = segments;
    this.extent = extent;
    this.config = config;
  }

  LogCursor cursor(String name, LogPosition from) {
    LogCursor cursor = new LogCursor(name, from, cursors::remove);
    cursors.add(cursor);
    return cursor;
  }

  void keep(LogConfig next) {
    config = next;
  }

  LogConfig kept() {
    return config;
  }

  void start(LongUnaryOperator from) {
    clock = from;
  }

  /** Frees what need not be kept. */
  void sweep() {
    LongUnaryOperator started = clock;
    if (started == null) {
      return;
    }
    long keptMs = TimeUnit.HOURS.toMillis(config.retentionHours());
    long sinceMs = started.applyAsLong(keptMs) - keptMs;
    try {
      for (Segment segment : segments.all()) {
        if (!isFree(segment, sinceMs)) {
          return;
        }
        extent.beginsAt(segment.sequence() + 1);
        segments.free(segment);
        LOG.debug("freed segment {} of the Log", segment.sequence());
      }
    } catch (IOException e) {
      LOG.warn("a segment of the Log could not be freed: {}", e.getMessage());
    }
  }

  private boolean isFree(Segment segment, long sinceMs) {
    return segment.isSealed()
        && cursors.stream().allMatch(c -> c.position().segment() > segment.sequence())
        && (segments.diskBytes() > config.retentionBytes() || segment.sealedMs() < sinceMs);
  }
}
