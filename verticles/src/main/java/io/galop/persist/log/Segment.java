package io.galop.persist.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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

  /** Which file is written to; null where none is. */
  private volatile Object writtenFile;

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

  /** The file that has its name now is the one that is written to. */
  void written() throws IOException {
    writtenFile = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /** The file that is written to, as another one with its name would not be. */
  Object writtenFile() {
    return writtenFile;
  }

  /** Whether its file is there, and the one that is written to if it is. */
  boolean isInPlace() {
    try {
      Object there = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return isSealed() || writtenFile == null || writtenFile.equals(there);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      return true; // what the disk has is not known now
    }
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
