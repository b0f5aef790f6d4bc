package io.galop.persist.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** The segments that are there, oldest first. Read by any thread, changed as their owner says. */
public final class Segments {
  private final NavigableMap<Long, Segment> bySequence = new ConcurrentSkipListMap<>();
  private final Path directory;
  private final Disk disk;

  public Segments(Path directory, Disk disk) {
    this.directory = directory;
    this.disk = disk;
  }

  /** The files of segments in a directory, oldest first. */
  public static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\d{16}\\.log"))
          .sorted()
          .toList();
    }
  }

  public Path directory() {
    return directory;
  }

  public Disk disk() {
    return disk;
  }

  public void add(Segment segment) {
    bySequence.put(segment.sequence(), segment);
  }

  public Collection<Segment> all() {
    return bySequence.values();
  }

  public int count() {
    return bySequence.size();
  }

  public Optional<Segment> newest() {
    return value(bySequence.lastEntry());
  }

  public Optional<Segment> atOrAfter(long sequence) {
    return value(bySequence.ceilingEntry(sequence));
  }

  private static Optional<Segment> value(Map.Entry<Long, Segment> entry) {
    return Optional.ofNullable(entry).map(Map.Entry::getValue);
  }

  public long diskBytes() {
    return bySequence.values().stream().mapToLong(Segment::diskBytes).sum();
  }

  /** Where the newest ends; {@link LogPosition#START} if there is none. */
  public LogPosition end() {
    return newest()
        .map(segment -> new LogPosition(segment.sequence(), segment.end()))
        .orElse(LogPosition.START);
  }

  /** Where to read from to see at least so much of what is there. */
  public LogPosition tail(long bytes) {
    long seen = 0;
    for (Segment segment : bySequence.descendingMap().values()) {
      seen += segment.end() - SegmentHeader.BYTES;
      if (seen >= bytes) {
        return new LogPosition(segment.sequence(), SegmentHeader.BYTES);
      }
    }
    return LogPosition.START;
  }

  /** Bytes of entries from one position to another. */
  public long bytesBetween(LogPosition from, LogPosition to) {
    long sum = 0;
    for (Segment segment : bySequence.tailMap(from.segment(), true).values()) {
      if (segment.sequence() > to.segment()) {
        break;
      }
      long end = segment.sequence() == to.segment() ? to.offset() : segment.end();
      long start = segment.sequence() == from.segment() ? from.offset() : 0;
      sum += Math.max(0, end - Math.max(start, SegmentHeader.BYTES));
    }
    return sum;
  }

  /** Whether it was neither freed nor lost. */
  public boolean has(long sequence) {
    return bySequence.containsKey(sequence);
  }

  /** The file is gone already. */
  public void forget(Segment segment) {
    bySequence.remove(segment.sequence());
  }

  /** Removes a sealed segment from the disk. */
  public void free(Segment segment) throws IOException {
    forget(segment);
    Files.deleteIfExists(segment.path());
    disk.syncDirectory(directory);
  }
}
