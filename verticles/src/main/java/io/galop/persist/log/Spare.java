package io.galop.persist.log;

import io.galop.config.persist.LogConfig;
import io.galop.persist.log.file.Disk.SegmentFile;
import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.SegmentHeader;
import io.galop.persist.log.file.Segments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that becomes the next segment: written with zeros ahead of its use, so that appending to
 * it neither waits for the file system to allocate nor can run out of space. Costs writing
 * everything twice, at a time when nobody waits.
 */
final class Spare {
  private static final Logger LOG = LoggerFactory.getLogger(Spare.class);
  private static final int PIECE_BYTES = 1 << 20;
  private static final int PIECES_PER_FORCE = 8;
  private final Segments segments;
  private final LogConfig config;
  private final Path file;
  private volatile boolean ready;
  private volatile boolean noRoom;
  private volatile boolean closed;

  Spare(Segments segments, LogConfig config) {
    this.segments = segments;
    this.config = config;
    this.file = segments.directory().resolve("spare.tmp");
  }

  /** Whether the next segment is there. */
  boolean isReady() {
    return ready;
  }

  /** Whether there is neither a spare nor room for one. */
  boolean isNoRoom() {
    return noRoom && !ready;
  }

  /**
   * Waits until a spare may have to be made: at once when one was taken, else for a time.
   *
   * @return false when the Log is closed
   */
  synchronized boolean awaitNeed(long timeoutMs) throws InterruptedException {
    if (!closed && (ready || noRoom)) {
      wait(timeoutMs);
    }
    return !closed;
  }

  /** Makes another where somebody has deleted it. */
  synchronized void lookForFile() {
    ready &= Files.exists(file);
  }

  /** Makes the file if it is not there and there is room. */
  void prepare() {
    if (ready || closed) {
      return;
    }
    try {
      String missing = missingRoom();
      if (missing.isEmpty()) {
        allocate();
      }
      report(missing);
    } catch (IOException e) {
      report("no segment can be allocated: " + e.getMessage());
    }
  }

  private String missingRoom() throws IOException {
    long used = segments.diskBytes() + config.segmentBytes();
    if (used > config.quotaBytes()) {
      return "persist.log.quotaBytes " + config.quotaBytes() + " is reached";
    }
    long free = segments.disk().usableBytes(segments.directory()) - config.segmentBytes();
    return free < config.minFreeBytes()
        ? "less than persist.log.minFreeBytes " + config.minFreeBytes() + " would be left free"
        : "";
  }

  private void allocate() throws IOException {
    try (SegmentFile target = segments.disk().create(file)) {
      fill(target);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    segments.disk().syncDirectory(segments.directory());
    synchronized (this) {
      ready = true;
      notifyAll();
    }
  }

  private void fill(SegmentFile target) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(PIECE_BYTES, config.segmentBytes()));
    int pieces = 0;
    for (long at = 0; at < config.segmentBytes() && !closed; at += zeros.capacity()) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), config.segmentBytes() - at));
      target.write(zeros, at);
      if (++pieces % PIECES_PER_FORCE == 0) {
        target.force();
      }
    }
    target.force();
  }

  private void report(String missing) {
    boolean was = noRoom;
    noRoom = !missing.isEmpty();
    if (noRoom && !was) {
      LOG.warn("the Log has no room for another segment: {}", missing);
    } else if (was && !noRoom) {
      LOG.info("the Log has room again");
    }
  }

  /** Turns the file into the newest segment; waits for it. */
  synchronized Segment take(SegmentHeader header) throws IOException, InterruptedException {
    lookForFile();
    while (!ready && !closed) {
      wait();
    }
    if (!ready) {
      throw new IOException("the Log was closed before there was room for another segment");
    }
    try (SegmentFile target = segments.disk().open(file)) {
      target.write(header.encode(), 0);
      target.force();
    }
    Path path = Segment.path(segments.directory(), header.sequence());
    Files.move(file, path, StandardCopyOption.ATOMIC_MOVE);
    segments.disk().syncDirectory(segments.directory());
    Segment segment = new Segment(header.sequence(), path, header.segmentBytes());
    segments.add(segment);
    ready = false;
    notifyAll();
    return segment;
  }

  /** Nobody waits any longer. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
