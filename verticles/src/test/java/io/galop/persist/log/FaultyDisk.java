package io.galop.persist.log;

import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A disk with a cache that a power cut loses: what was written reaches the file only when it is
 * forced, or in part and in any order when the power is cut. It can also be told to fail.
 */
final class FaultyDisk implements Disk {
  private static final int SECTOR_BYTES = 512;
  private final FileDisk real = new FileDisk();
  private final List<CachedFile> files = new ArrayList<>();
  private volatile boolean forceFails;
  private volatile boolean off;
  private volatile Optional<Cut> planned = Optional.empty();
  private final AtomicInteger opensLeft = new AtomicInteger(Integer.MAX_VALUE);
  private volatile long usableBytes = Long.MAX_VALUE;

  void failForce() {
    forceFails = true;
  }

  /** So many files can still be opened, then one cannot. */
  void failOpenAfter(int opened) {
    opensLeft.set(opened);
  }

  /**
   * Holds the next fsync of a segment until {@code release} is released, and cuts the power in the
   * one after it.
   */
  void cutPowerAfterNextForce(Random random, double share, Semaphore release) {
    planned = Optional.of(new Cut(random, share, release));
  }

  void usable(long bytes) {
    usableBytes = bytes;
  }

  /** Switches the disk off; about {@code share} of the cached sectors get to the file before. */
  synchronized void cutPower(Random random, double share) throws IOException {
    off = true;
    for (CachedFile file : files) {
      for (Sector sector : file.cache) {
        if (random.nextDouble() < share) {
          file.file.write(ByteBuffer.wrap(sector.bytes), sector.at);
        }
      }
    }
  }

  @Override
  public SegmentFile open(Path file) throws IOException {
    if (opensLeft.getAndDecrement() == 0) {
      throw new IOException("Too many open files");
    }
    return cached(file, real.open(file));
  }

  @Override
  public SegmentFile create(Path file) throws IOException {
    return cached(file, real.create(file));
  }

  private synchronized SegmentFile cached(Path path, SegmentFile file) {
    CachedFile cached = new CachedFile(file, path.toString().endsWith(".log"));
    files.add(cached);
    return cached;
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    real.syncDirectory(directory);
  }

  @Override
  public long usableBytes(Path directory) {
    return usableBytes;
  }

  private record Cut(Random random, double share, Semaphore release) {}

  private record Sector(long at, byte[] bytes) {

    /** Puts what it has into a buffer that holds the file from {@code fileAt} on. */
    private void overlay(ByteBuffer to, int start, long fileAt) {
      long from = Math.max(at, fileAt);
      long end = Math.min(at + bytes.length, fileAt + to.position() - start);
      if (from < end) {
        to.put(start + (int) (from - fileAt), bytes, (int) (from - at), (int) (end - from));
      }
    }
  }

  private final class CachedFile implements SegmentFile {
    private final SegmentFile file;
    private final boolean isSegment;
    private final List<Sector> cache = new ArrayList<>();

    CachedFile(SegmentFile file, boolean isSegment) {
      this.file = file;
      this.isSegment = isSegment;
    }

    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      synchronized (FaultyDisk.this) {
        checkOn();
        for (long next = at; from.hasRemaining(); ) {
          int toBoundary = SECTOR_BYTES - (int) (next % SECTOR_BYTES);
          byte[] bytes = new byte[Math.min(from.remaining(), toBoundary)];
          from.get(bytes);
          cache.add(new Sector(next, bytes));
          next += bytes.length;
        }
      }
    }

    @Override
    public void read(ByteBuffer to, long at) throws IOException {
      int start = to.position();
      file.read(to, at);
      synchronized (FaultyDisk.this) {
        cache.forEach(sector -> sector.overlay(to, start, at));
      }
    }

    @Override
    public void force() throws IOException {
      Optional<Cut> cut = isSegment ? planned : Optional.empty();
      if (cut.isPresent()) {
        if (cut.get().release().tryAcquire()) {
          cutPower(cut.get().random(), cut.get().share());
        } else {
          cut.get().release().acquireUninterruptibly();
          cut.get().release().release();
        }
      }
      synchronized (FaultyDisk.this) {
        checkOn();
        if (forceFails) {
          throw new IOException("Input/output error");
        }
        for (Sector sector : cache) {
          file.write(ByteBuffer.wrap(sector.bytes), sector.at);
        }
        cache.clear();
      }
    }

    private void checkOn() throws IOException {
      if (off) {
        throw new IOException("the power is off");
      }
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      checkOn();
      file.truncate(size);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
