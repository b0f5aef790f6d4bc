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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Frees the oldest segments once every reader with a cursor has passed them. */
final class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
  private final List<LogCursor> cursors = new CopyOnWriteArrayList<>();
  private final Segments segments;
  private final ExtentFile extent;
  private volatile LogConfig config;
  private volatile boolean started;

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

  void start() {
    started = true;
  }

  /** Frees what need not be kept at a time in milliseconds since the epoch. */
  void sweep(long nowMs) {
    if (!started) {
      return;
    }
    try {
      for (Segment segment : segments.all()) {
        if (!isFree(segment, nowMs)) {
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

  private boolean isFree(Segment segment, long nowMs) {
    return segment.isSealed()
        && cursors.stream().allMatch(c -> c.position().segment() > segment.sequence())
        && (segments.diskBytes() > config.retentionBytes()
            || nowMs - segment.sealedMs() > TimeUnit.HOURS.toMillis(config.retentionHours()));
  }
}
