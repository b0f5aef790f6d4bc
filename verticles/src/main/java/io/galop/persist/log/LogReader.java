package io.galop.persist.log;

import io.galop.persist.log.file.Disk.SegmentFile;
import io.galop.persist.log.file.EntryFormat;
import io.galop.persist.log.file.EntryScan;
import io.galop.persist.log.file.LogException;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.SegmentHeader;
import io.galop.persist.log.file.Segments;
import io.galop.record.Placed;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the durable part of the Log in order. Blocking, and for one thread at a time. */
public final class LogReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);
  private final Segments segments;
  private final Durable durable;
  private final LogMetrics metrics;
  private LogPosition position;

  /** What the position is in; null where no file is open. */
  private @Nullable Open open;

  /**
   * A segment that is being read.
   *
   * @param written which file of it is open; the segment has another where the writer has put it
   *     back
   */
  private record Open(
      Segment segment, @Nullable Object written, SegmentFile file, EntryScan scan) {}

  LogReader(Segments segments, Durable durable, LogMetrics metrics, LogPosition from) {
    this.segments = segments;
    this.durable = durable;
    this.metrics = metrics;
    LogPosition end = durable.position();
    this.position = from.compareTo(end) > 0 ? end : from;
  }

  /**
   * Reads on.
   *
   * @param maxBytes about how much of the Log to pass; at least one entry is read if there is one
   * @throws LogException if the disk fails; the next call reads the same again
   */
  public LogChunk read(int maxBytes) {
    LogPosition from = position;
    List<Placed> records = new ArrayList<>();
    long bytes = 0;
    try {
      LogPosition end = durable.position();
      while (bytes < maxBytes && position.compareTo(end) < 0) {
        bytes += readOne(end, records);
      }
    } catch (IOException e) {
      LogPosition failed = position;
      close();
      position = from;
      throw new LogException("the Log cannot be read at " + failed, e);
    }
    return new LogChunk(records, position, bytes);
  }

  private long readOne(LogPosition end, List<Placed> records) throws IOException {
    if (open != null && open.written != open.segment.writtenFile()) {
      close();
    }
    Open now = open == null ? open() : open;
    if (now == null) {
      position = end;
      return 0;
    }
    EntryScan scan = now.scan;
    long from = position.offset();
    long limit = position.segment() == end.segment() ? end.offset() : now.segment.end();
    if (scan.next(limit)) {
      if (scan.type() == EntryFormat.RECORD) {
        records.add(EntryFormat.record(scan.bytes(), scan.index(), scan.length()));
      }
      position = new LogPosition(position.segment(), scan.position());
    } else if (position.segment() == end.segment()) {
      unreadable(now.segment, from, limit);
      scan.skipTo(limit);
      position = end;
    } else {
      close();
      position = new LogPosition(position.segment() + 1, 0);
    }
    return position.offset() - Math.min(from, position.offset());
  }

  /** Opens the segment at the position, or the next that is left; null if there is none. */
  private @Nullable Open open() throws IOException {
    while (true) {
      Segment segment = segments.atOrAfter(position.segment()).orElse(null);
      if (segment == null) {
        return null;
      }
      if (segment.sequence() != position.segment() || position.offset() < SegmentHeader.BYTES) {
        position = new LogPosition(segment.sequence(), SegmentHeader.BYTES);
      }
      try {
        Object written = segment.writtenFile();
        SegmentFile file = segments.disk().open(segment.path());
        EntryScan scan =
            new EntryScan(file, position.offset(), (at, to) -> unreadable(segment, at, to));
        open = new Open(segment, written, file, scan);
        return open;
      } catch (NoSuchFileException e) {
        if (segments.has(segment.sequence())) {
          throw new IOException("the segment " + segment.path() + " was deleted", e);
        }
        LOG.debug("segment {} was freed while it was opened", segment.sequence());
        position = new LogPosition(segment.sequence() + 1, 0);
      }
    }
  }

  private void unreadable(Segment segment, long from, long to) {
    if (from < to && segment.damagedAt(from)) {
      metrics.damaged.increment();
      LOG.error("DAMAGE IN THE LOG: {} bytes {} to {}", segment.path().getFileName(), from, to);
    }
  }

  /** Where the next read goes on. */
  public LogPosition position() {
    return position;
  }

  @Override
  public void close() {
    Open last = open;
    open = null;
    try {
      if (last != null) {
        last.file.close();
      }
    } catch (IOException e) {
      LOG.debug("closing a segment failed", e);
    }
  }
}
