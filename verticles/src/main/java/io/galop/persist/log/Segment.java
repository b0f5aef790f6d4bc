package io.galop.persist.log;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A file of the Log. Its end moves while it is the newest and stays when it is sealed. */
final class Segment {
  private final long sequence;
  private final Path path;
  private final Set<Long> damages = ConcurrentHashMap.newKeySet();
  private volatile long end = SegmentHeader.BYTES;
  private volatile long diskBytes;
  private volatile long sealedMs;

  Segment(long sequence, Path path, long diskBytes) {
    this.sequence = sequence;
    this.path = path;
    this.diskBytes = diskBytes;
  }

  static Path path(Path directory, long sequence) {
    return directory.resolve(String.format("%016d.log", sequence));
  }

  /** The sequence number in the name of a segment's file. */
  static long sequence(Path file) {
    return Long.parseLong(file.getFileName().toString().substring(0, 16));
  }

  long sequence() {
    return sequence;
  }

  Path path() {
    return path;
  }

  /** Where its durable entries end. */
  long end() {
    return end;
  }

  /** How long the file is; until it is sealed that is how much fits in. */
  long diskBytes() {
    return diskBytes;
  }

  boolean isSealed() {
    return sealedMs > 0;
  }

  /** When it was sealed, milliseconds since the epoch. */
  long sealedMs() {
    return sealedMs;
  }

  /** A stretch cannot be read; whether that was not known before. */
  boolean damagedAt(long from) {
    return damages.add(from);
  }

  void endsAt(long next) {
    end = next;
  }

  /** Nothing more is written to it. */
  void seal(long finalEnd, long nowMs) {
    end = finalEnd;
    diskBytes = finalEnd;
    sealedMs = nowMs;
  }
}
