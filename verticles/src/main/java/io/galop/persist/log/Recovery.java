package io.galop.persist.log;

import io.galop.config.persist.LogConfig;
import io.galop.persist.log.file.Continuity;
import io.galop.persist.log.file.Damage;
import io.galop.persist.log.file.Disk.SegmentFile;
import io.galop.persist.log.file.DurableEpochs;
import io.galop.persist.log.file.Extent;
import io.galop.persist.log.file.ExtentFile;
import io.galop.persist.log.file.LogException;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.SegmentHeader;
import io.galop.persist.log.file.Segments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what earlier runs have left in a directory. Only the end of the last segment is ever
 * changed.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
  private final List<Damage> damages = new ArrayList<>();
  private final Segments segments;
  private final LogConfig config;
  private final Continuity continuity;
  private final Quarantine quarantine;
  private long log;
  private long cutBytes;
  private Optional<Extent> noted = Optional.empty();

  Recovery(Segments segments, LogConfig config, int shards) {
    this.segments = segments;
    this.config = config;
    this.continuity = new Continuity(shards);
    this.quarantine = new Quarantine(segments.disk(), segments.directory());
  }

  /** Adds what is there to the segments. */
  LogRecovery run() throws IOException {
    long startedNs = System.nanoTime();
    noted = ExtentFile.read(segments.directory());
    List<Path> files = Segments.files(segments.directory());
    long expected = 0;
    for (int i = 0; i < files.size(); i++) {
      long sequence = Segment.sequence(files.get(i));
      if (expected > 0 && sequence != expected) {
        damages.add(new Damage(files.get(i), 0, 0, "segments before it are missing"));
      }
      read(sequence, files.get(i), i == files.size() - 1);
      expected = sequence + 1;
    }
    checkEnds(files);
    long tookMs = (System.nanoTime() - startedNs) / 1_000_000;
    List<String> missing = damages.isEmpty() ? List.of() : continuity.missing();
    LogRecovery found =
        new LogRecovery(
            continuity.records(),
            segments.diskBytes(),
            cutBytes,
            damages,
            missing,
            segments.end(),
            tookMs);
    report(found);
    return found;
  }

  /** Segments that are missing before or after those that are there. */
  private void checkEnds(List<Path> files) {
    Extent extent = noted.orElse(null);
    if (extent == null || log != 0 && log != extent.log()) {
      return;
    }
    if (!files.isEmpty() && Segment.sequence(files.get(0)) > extent.oldest()) {
      damages.add(0, new Damage(files.get(0), 0, 0, "segments before it are missing"));
    }
    extent.missingAfter(files, segments.directory()).ifPresent(damages::add);
  }

  /** Up to where an fsync of the last segment has been confirmed; empty if that is not known. */
  private OptionalLong synced(long sequence) {
    return noted.filter(extent -> extent.log() == log).stream()
        .filter(extent -> extent.end().segment() <= sequence)
        .mapToLong(extent -> extent.synced(sequence))
        .findFirst();
  }

  /**
   * Notes from now on how far the Log is.
   *
   * @param end where it ends now
   */
  ExtentFile extent(LogPosition end) {
    long number = noted.map(Extent::number).orElse(0L);
    long oldest = segments.atOrAfter(0).map(Segment::sequence).orElse(1L);
    Extent now = new Extent(number, template().log(), oldest, end);
    return ExtentFile.open(segments.directory(), segments.disk(), now);
  }

  private void read(long sequence, Path path, boolean isLast) throws IOException {
    try (SegmentFile file = segments.disk().open(path)) {
      int capacity = header(path, file);
      Segment segment = new Segment(sequence, path, Math.max(capacity, file.size()));
      SegmentRecovery recovery =
          new SegmentRecovery(segment, file, continuity, quarantine, damages);
      if (isLast) {
        cutBytes = recovery.last(capacity, synced(sequence));
      } else {
        recovery.older();
      }
      segments.add(segment);
    }
  }

  /** Checks the header, and returns how long the file was made. */
  private int header(Path path, SegmentFile file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SegmentHeader.BYTES);
    file.read(bytes, 0);
    SegmentHeader header = SegmentHeader.decode(bytes).orElse(null);
    if (header == null) {
      damages.add(new Damage(path, 0, SegmentHeader.BYTES, "the header is damaged"));
      return (int) file.size();
    }
    check(header);
    log = header.log();
    return header.segmentBytes();
  }

  private void check(SegmentHeader header) {
    if (header.version() != SegmentHeader.VERSION) {
      throw new LogException(
          "the Log in %s has format %d, this Galop reads format %d; start the version that wrote it"
              .formatted(segments.directory(), header.version(), SegmentHeader.VERSION));
    }
    if (header.shards() != continuity.shards()) {
      throw new LogException(
          ("the Log in %s was written with %d shards, the configuration says %d; set node.shards to"
                  + " %d, or give this node an empty data directory (node.dataDir)")
              .formatted(
                  segments.directory(), header.shards(), continuity.shards(), header.shards()));
    }
  }

  private void report(LogRecovery found) {
    LOG.info(
        "opened the Log in {}: {} segments, {} records, {} bytes, in {} ms",
        segments.directory(),
        segments.count(),
        found.records(),
        found.bytes(),
        found.tookMs());
    if (found.cutBytes() > 0) {
      LOG.info("truncated {} bytes of incomplete entries", found.cutBytes());
    }
    for (Damage damage : found.damages()) {
      LOG.error("DAMAGE IN THE LOG: {}; a copy is in quarantine, the rest is kept", damage);
    }
    if (!found.missing().isEmpty()) {
      LOG.error("MISSING FROM THE LOG because of damage: {}", found.missing());
    }
  }

  /** What was learnt about each shard. */
  DurableEpochs[] tables() {
    return continuity.tables();
  }

  /** The header of segments to come. */
  SegmentHeader template() {
    while (log == 0) {
      log = new Random().nextLong();
    }
    return new SegmentHeader(
        SegmentHeader.VERSION, continuity.shards(), 0, log, config.segmentBytes());
  }
}
