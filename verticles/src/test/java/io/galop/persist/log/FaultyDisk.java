package io.galop.persist.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
  private final AtomicInteger opensLeft = new AtomicInteger(Integer.MAX_VALUE);
  private volatile long usableBytes = Long.MAX_VALUE;

  void failForce() {
    forceFails = true;
  }

  /** So many files can still be opened, then one cannot. */
  void failOpenAfter(int opened) {
    opensLeft.set(opened);
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
    return cached(real.open(file));
  }

  @Override
  public SegmentFile create(Path file) throws IOException {
    return cached(real.create(file));
  }

  private synchronized SegmentFile cached(SegmentFile file) {
    CachedFile cached = new CachedFile(file);
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

  private record Sector(long at, byte[] bytes) {}

  private final class CachedFile implements SegmentFile {
    private final SegmentFile file;
    private final List<Sector> cache = new ArrayList<>();

    CachedFile(SegmentFile file) {
      this.file = file;
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
      file.read(to, at);
    }

    @Override
    public void force() throws IOException {
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
