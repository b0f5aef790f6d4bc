package io.galop.persist.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an archive needs of a file system; tests put one in its place that fails or forgets what was
 * not synced. Each method blocks.
 */
interface ArchiveDisk {

  /** Makes a directory and those above it that are missing, and all of their names durable. */
  void makeDirectories(Path directory) throws IOException;

  /** The files of a directory that is there. */
  List<Path> list(Path directory) throws IOException;

  /** All of a file; empty if it is not there. */
  Optional<byte[]> read(Path file) throws IOException;

  /** The size of a file in bytes; -1 if it is not there. */
  long size(Path file) throws IOException;

  /**
   * Cuts a file at a size, makes it if that is 0 and it is not there, appends bytes and returns
   * when they are on disk, if not the file's name. Fails if the file is shorter than that.
   */
  void append(Path file, long at, ByteBuffer bytes) throws IOException;

  /** Gives a file another name at once, in place of what has it; durable in neither directory. */
  void move(Path from, Path to) throws IOException;

  /** Deletes a file; not durable. */
  void delete(Path file) throws IOException;

  /** Makes names that came, changed or went in a directory durable. */
  void syncDirectory(Path directory) throws IOException;
}
