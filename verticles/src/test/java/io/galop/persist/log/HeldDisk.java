package io.galop.persist.log;

import io.galop.node.Node;
import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Phaser;

/** A disk whose fsync can be held up, and which can lose everything from some moment on. */
public final class HeldDisk {
  private final Phaser gate = new Phaser(1);
  private volatile boolean held;
  private volatile boolean lost;
  private volatile boolean full;

  /** Opens a node's Log on this disk. */
  public Log open(Path directory, Node node) {
    return Log.open(
        directory,
        node.config().persist().log(),
        node.bus().cluster().shards(),
        node.meters(),
        node.readiness(),
        new Gated());
  }

  /** No fsync returns until {@link #release}. */
  public void hold() {
    held = true;
  }

  /** Lets every fsync return. */
  public void release() {
    held = false;
    gate.arrive();
  }

  /** Nothing reaches the disk any more, and every fsync fails. */
  public void lose() {
    lost = true;
    release();
  }

  /** No room is left for another segment. */
  public void fill() {
    full = true;
  }

  private final class Gated implements Disk {
    private final FileDisk real = new FileDisk();

    @Override
    public SegmentFile open(Path file) throws IOException {
      return new GatedFile(real.open(file));
    }

    @Override
    public SegmentFile create(Path file) throws IOException {
      return new GatedFile(real.create(file));
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
      real.syncDirectory(directory);
    }

    @Override
    public long usableBytes(Path directory) throws IOException {
      return full ? 0 : real.usableBytes(directory);
    }
  }

  private final class GatedFile implements Disk.SegmentFile {
    private final Disk.SegmentFile file;

    GatedFile(Disk.SegmentFile file) {
      this.file = file;
    }

    /** What is written while held is lost by {@link #lose}, as in a page cache. */
    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      ByteBuffer kept = from.duplicate();
      from.position(from.limit());
      pass();
      if (!lost) {
        file.write(kept, at);
      }
    }

    @Override
    public void force() throws IOException {
      pass();
      if (lost) {
        throw new IOException("the disk is gone");
      }
      file.force();
    }

    private void pass() {
      while (held) {
        int phase = gate.getPhase();
        if (held) {
          gate.awaitAdvance(phase);
        }
      }
    }

    @Override
    public void read(ByteBuffer to, long at) throws IOException {
      file.read(to, at);
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
