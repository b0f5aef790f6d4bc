package io.galop.persist.log;

import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.FileDisk;
import io.galop.persist.log.file.Segments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;

/**
 * A disk behind a page cache as Linux has it: reads see what was written at once, and pages that a
 * failed fsync could not write pass for clean from then on, so that later ones leave them out. What
 * is only in the cache goes when the power is cut.
 */
final class PageCacheDisk implements Disk {
  private static final int PAGE_BYTES = 4_096;
  private final FileDisk real = new FileDisk();

  /** File → page → what the disk has of a page of which the cache has more. */
  private final Map<Object, Map<Long, Page>> cached = new HashMap<>();

  private boolean nextForceFails;

  private record Page(byte[] onDisk, boolean isDirty) {}

  /** The next fsync of a segment fails, and those after it do not. */
  synchronized void failNextForce() {
    nextForceFails = true;
  }

  /** What the disk does not have is gone. */
  synchronized void cutPower(Path directory) throws IOException {
    for (Path path : Segments.files(directory)) {
      Map<Long, Page> pages = cached.getOrDefault(key(path), Map.of());
      try (SegmentFile file = real.open(path)) {
        for (Map.Entry<Long, Page> page : pages.entrySet()) {
          file.write(ByteBuffer.wrap(page.getValue().onDisk()), page.getKey() * PAGE_BYTES);
        }
      }
    }
    cached.clear();
  }

  private static Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  @Override
  public SegmentFile open(Path file) throws IOException {
    return new CachedFile(real.open(file), key(file), file.toString().endsWith(".log"));
  }

  @Override
  public SegmentFile create(Path file) throws IOException {
    SegmentFile created = real.create(file);
    return new CachedFile(created, key(file), false);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    real.syncDirectory(directory);
  }

  @Override
  public long usableBytes(Path directory) throws IOException {
    return real.usableBytes(directory);
  }

  private final class CachedFile implements SegmentFile {
    private final SegmentFile file;
    private final boolean isSegment;
    private final Map<Long, Page> pages;

    CachedFile(SegmentFile file, Object key, boolean isSegment) {
      this.file = file;
      this.isSegment = isSegment;
      synchronized (PageCacheDisk.this) {
        this.pages = cached.computeIfAbsent(key, k -> new HashMap<>());
      }
    }

    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      synchronized (PageCacheDisk.this) {
        long end = at + from.remaining();
        for (long page = at / PAGE_BYTES; page * PAGE_BYTES < end; page++) {
          Page known = pages.get(page);
          pages.put(page, new Page(known == null ? read(page) : known.onDisk(), true));
        }
        file.write(from, at);
      }
    }

    private byte[] read(long page) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
      file.read(bytes, page * PAGE_BYTES);
      return java.util.Arrays.copyOf(bytes.array(), bytes.position());
    }

    @Override
    public void read(ByteBuffer to, long at) throws IOException {
      file.read(to, at);
    }

    @Override
    public void force() throws IOException {
      synchronized (PageCacheDisk.this) {
        if (nextForceFails && isSegment) {
          nextForceFails = false;
          pages.replaceAll((page, known) -> new Page(known.onDisk(), false));
          throw new IOException("Input/output error");
        }
        pages.values().removeIf(Page::isDirty);
      }
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
