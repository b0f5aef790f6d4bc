package io.galop.persist.log.stopped;

import io.galop.persist.log.file.DirectoryLock;
import io.galop.persist.log.file.Disk.SegmentFile;
import io.galop.persist.log.file.Extent;
import io.galop.persist.log.file.ExtentFile;
import io.galop.persist.log.file.FileDisk;
import io.galop.persist.log.file.LogException;
import io.galop.persist.log.file.SegmentHeader;
import io.galop.persist.log.file.Segments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The Log of a node that is not running, to be looked at. Nothing is repaired, created or changed,
 * so also a disk that can only be read will do; no node can open the Log meanwhile. Blocking, and
 * for one thread.
 */
public final class StoppedLog implements AutoCloseable {
  /** No configuration allows more; taken where no header can be read. */
  private static final int MOST_SHARDS = 1024;

  private final Path directory;
  private final List<Path> files;
  private final Optional<DirectoryLock> lock;
  private final Optional<SegmentHeader> newestHeader;

  private StoppedLog(Path directory, Optional<DirectoryLock> lock) throws IOException {
    this.directory = directory;
    this.lock = lock;
    this.files = Segments.files(directory);
    this.newestHeader = readNewestHeader();
  }

  /** Told how far a scan is. */
  @FunctionalInterface
  public interface OnProgress {
    /** So many bytes of the Log have been read; at the end all of them. */
    void bytes(long done, long of);
  }

  /** Told of each record, in the order of the Log, which keeps the order of each shard. */
  @FunctionalInterface
  public interface OnRecord {
    /** A record, that can be looked at until the return. */
    void record(LogEntry record) throws IOException;
  }

  /**
   * Opens the Log in a directory.
   *
   * @throws LogException if a node has it open, if there is none, or if it was written by a version
   *     with another format
   * @throws IOException if the disk fails
   */
  public static StoppedLog open(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new LogException("there is no Log in " + directory.toAbsolutePath().normalize());
    }
    Optional<DirectoryLock> lock = DirectoryLock.share(directory);
    try {
      return new StoppedLog(directory, lock);
    } catch (IOException | RuntimeException e) {
      if (lock.isPresent()) {
        lock.get().close();
      }
      throw e;
    }
  }

  private Optional<SegmentHeader> readNewestHeader() throws IOException {
    Optional<SegmentHeader> newest = Optional.empty();
    for (Path path : files) {
      try (SegmentFile file = FileDisk.openToRead(path)) {
        Optional<SegmentHeader> header = header(file);
        header.ifPresent(this::checkVersion);
        newest = header.isPresent() ? header : newest;
      }
    }
    return newest;
  }

  static Optional<SegmentHeader> header(SegmentFile file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SegmentHeader.BYTES);
    file.read(bytes, 0);
    return SegmentHeader.decode(bytes);
  }

  private void checkVersion(SegmentHeader header) {
    if (header.version() != SegmentHeader.VERSION) {
      throw new LogException(
          "the Log in %s has format %d, this Galop reads format %d; use the version that wrote it"
              .formatted(directory, header.version(), SegmentHeader.VERSION));
    }
  }

  /** Where it is. */
  public Path directory() {
    return directory;
  }

  /** The number that no other Log has; empty where no header of a segment can be read. */
  public Optional<Long> id() {
    return newestHeader.map(SegmentHeader::log);
  }

  /** Into how many shards topics were divided; as many as there can be where no header tells. */
  public int shards() {
    return newestHeader.map(SegmentHeader::shards).orElse(MOST_SHARDS);
  }

  /** How many copies of damaged stretches earlier starts have kept aside. */
  public long quarantined() throws IOException {
    Path quarantine = directory.resolve("quarantine");
    if (!Files.isDirectory(quarantine)) {
      return 0;
    }
    try (var copies = Files.list(quarantine)) {
      return copies.filter(copy -> copy.toString().endsWith(".bad")).count();
    }
  }

  /**
   * Reads everything.
   *
   * @throws IOException if the disk fails, or as {@code onRecord} throws it
   */
  public LogFindings scan(OnRecord onRecord, OnProgress onProgress) throws IOException {
    Optional<Extent> noted =
        ExtentFile.read(directory).filter(e -> id().isEmpty() || id().get() == e.log());
    return new StoppedScan(directory, files, noted, shards(), onRecord, onProgress).run();
  }

  @Override
  public void close() throws IOException {
    if (lock.isPresent()) {
      lock.get().close();
    }
  }
}
