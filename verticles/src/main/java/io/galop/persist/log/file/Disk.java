package io.galop.persist.log.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** What the Log needs of a file system; tests put one in its place that fails. */
public interface Disk {

  /** Opens a file that is there, to read and write. */
  SegmentFile open(Path file) throws IOException;

  /** Opens an empty file to read and write, in place of what is there. */
  SegmentFile create(Path file) throws IOException;

  /** Makes creations, renames and deletions in a directory durable. */
  void syncDirectory(Path directory) throws IOException;

  /** Bytes that may still be written to the file system of a directory. */
  long usableBytes(Path directory) throws IOException;

  /** An open file. */
  interface SegmentFile extends Closeable {
    /** Writes all that remains in a buffer. */
    void write(ByteBuffer from, long at) throws IOException;

    /** Reads until the buffer is full or the file ends. */
    void read(ByteBuffer to, long at) throws IOException;

    /** Returns when what was written is on disk. */
    void force() throws IOException;

    long size() throws IOException;

    void truncate(long size) throws IOException;
  }
}
