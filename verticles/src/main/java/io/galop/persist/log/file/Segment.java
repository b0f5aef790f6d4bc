package io.galop.persist.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A file of the Log. Its end moves while it is the newest and stays when it is sealed. */
public final class Segment {
  private final long sequence;
  private final Path path;
  private final Set<Long> damages = ConcurrentHashMap.newKeySet();
  private volatile long end = SegmentHeader.BYTES;
  private volatile long diskBytes;
  private volatile long sealedMs;

  /** Which file is written to; null where none is, or where the file system does not tell. */
  private volatile @Nullable Object writtenFile;

  public Segment(long sequence, Path path, long diskBytes) {
    this.sequence = sequence;
    this.path = path;
    this.diskBytes = diskBytes;
  }

  public static Path path(Path directory, long sequence) {
    return directory.resolve(String.format("%016d.log", sequence));
  }

  /** The sequence number in the name of a segment's file. */
  public static long sequence(Path file) {
    return Long.parseLong(file.getFileName().toString().substring(0, 16));
  }

  public long sequence() {
    return sequence;
  }

  public Path path() {
    return path;
  }

  /** Where its durable entries end. */
  public long end() {
    return end;
  }

  /** How long the file is; until it is sealed that is how much fits in. */
  public long diskBytes() {
    return diskBytes;
  }

  public boolean isSealed() {
    return sealedMs > 0;
  }

  /** When it was sealed, milliseconds since the epoch. */
  public long sealedMs() {
    return sealedMs;
  }

  /** A stretch cannot be read; whether that was not known before. */
  public boolean damagedAt(long from) {
    return damages.add(from);
  }

  /** The file that has its name now is the one that is written to. */
  public void written() throws IOException {
    writtenFile = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /** The file that is written to, as another one with its name would not be; null if none is. */
  public @Nullable Object writtenFile() {
    return writtenFile;
  }

  /** Whether its file is there, and the one that is written to if it is. */
  public boolean isInPlace() {
    try {
      Object there = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return isSealed() || writtenFile == null || writtenFile.equals(there);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      return true; // what the disk has is not known now
    }
  }

  public void endsAt(long next) {
    end = next;
  }

  /** Nothing more is written to it. */
  public void seal(long finalEnd, long nowMs) {
    end = finalEnd;
    diskBytes = finalEnd;
    sealedMs = nowMs;
  }
}
