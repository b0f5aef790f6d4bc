package io.galop.persist.log.stopped;

import io.galop.persist.log.file.Continuity;
import io.galop.persist.log.file.Damage;
import io.galop.persist.log.file.Disk.SegmentFile;
import io.galop.persist.log.file.EntryFormat;
import io.galop.persist.log.file.EntryScan;
import io.galop.persist.log.file.Extent;
import io.galop.persist.log.file.FileDisk;
import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.SegmentHeader;
import io.galop.persist.log.file.SegmentScan;
import io.galop.persist.log.stopped.LogFindings.OfDamage;
import io.galop.persist.log.stopped.LogFindings.OfSegment;
import io.galop.persist.log.stopped.StoppedLog.OnProgress;
import io.galop.persist.log.stopped.StoppedLog.OnRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One pass over the segments of a {@link StoppedLog}. */
final class StoppedScan {
  private static final long PROGRESS_BYTES = 1 << 20;
  private final Path directory;
  private final List<Path> files;
  private final Optional<Extent> noted;
  private final OnRecord onRecord;
  private final OnProgress onProgress;
  private final Continuity continuity;
  private final List<OfSegment> segments = new ArrayList<>();
  private final List<Found> found = new ArrayList<>();

  /** Shard → how many damages had been found when a record of it was seen last. */
  private final int[] damagesBefore;

  private long bytes;
  private long bytesBefore;
  private long bytesShown;
  private long records;

  /** A damage, and what turns out to be missing there. */
  private record Found(Damage damage, List<String> missing) {}

  /**
   * @param noted what must be there, if it is known
   */
  StoppedScan(
      Path directory,
      List<Path> files,
      Optional<Extent> noted,
      int shards,
      OnRecord onRecord,
      OnProgress onProgress) {
    this.directory = directory;
    this.files = files;
    this.noted = noted;
    this.onRecord = onRecord;
    this.onProgress = onProgress;
    this.continuity = new Continuity(shards);
    this.damagesBefore = new int[shards];
  }

  LogFindings run() throws IOException {
    for (Path path : files) {
      bytes += Files.size(path);
    }
    long expected = noted.map(Extent::oldest).orElse(0L);
    for (Path path : files) {
      long sequence = Segment.sequence(path);
      if (expected > 0 && sequence > expected) {
        damaged(path, 0, 0, "segments before it are missing");
      }
      expected = sequence + 1;
      read(path, path.equals(files.get(files.size() - 1)));
    }
    onProgress.bytes(bytes, bytes);
    noted
        .flatMap(extent -> extent.missingAfter(files, directory))
        .ifPresent(damage -> found.add(new Found(damage, new ArrayList<>())));
    List<OfDamage> damages =
        found.stream().map(one -> new OfDamage(one.damage(), one.missing())).toList();
    return new LogFindings(segments, damages, found.isEmpty() ? List.of() : continuity.missing());
  }

  private void damaged(Path path, long from, long to, String what) {
    found.add(new Found(new Damage(path, from, to, what), new ArrayList<>()));
  }

  private void read(Path path, boolean isLast) throws IOException {
    records = 0;
    try (SegmentFile file = FileDisk.openToRead(path)) {
      Optional<SegmentHeader> header = StoppedLog.header(file);
      if (header.isEmpty()) {
        damaged(path, 0, SegmentHeader.BYTES, "the header is damaged");
      }
      SegmentScan scan = new SegmentScan(file, (from, to, what) -> damaged(path, from, to, what));
      scan.run(this::see);
      boolean isOpen = isLast && !scan.isSealed();
      if (isOpen) {
        scan.checkLength(header.map(SegmentHeader::segmentBytes).orElse(0));
      } else {
        scan.checkSeal();
      }
      long sequence = Segment.sequence(path);
      long synced = isLast ? noted.map(extent -> extent.synced(sequence)).orElse(0L) : 0;
      if (scan.end() < synced) {
        damaged(path, scan.end(), synced, "ends before what was on disk and acknowledged");
      }
      boolean isUnfinished = isOpen && scan.end() >= synced;
      long unfinished = isUnfinished ? scan.dataEnd() - scan.end() : 0;
      segments.add(
          new OfSegment(
              sequence, path, scan.size(), scan.end(), unfinished, records, scan.isSealed()));
      bytesBefore += scan.size();
    }
  }

  private void see(EntryScan scan) throws IOException {
    int known = continuity.missing().size();
    continuity.see(scan);
    if (scan.type() != EntryFormat.SEAL
        && EntryFormat.shard(scan.bytes(), scan.index()) < damagesBefore.length) {
      int shard = EntryFormat.shard(scan.bytes(), scan.index());
      List<String> missing = continuity.missing().subList(known, continuity.missing().size());
      found.subList(damagesBefore[shard], found.size()).forEach(d -> d.missing().addAll(missing));
      damagesBefore[shard] = found.size();
    }
    if (scan.type() == EntryFormat.RECORD) {
      records++;
      onRecord.record(new LogEntry(scan));
    }
    showProgress(bytesBefore + scan.position());
  }

  private void showProgress(long done) {
    if (done - bytesShown >= PROGRESS_BYTES) {
      bytesShown = done;
      onProgress.bytes(done, bytes);
    }
  }
}
