package io.galop.loadtest.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of a node's own, in memory, that can be filled. */
record MemoryDisk(Path path) {
  private static final int PIECE_BYTES = 64 * 1024;

  /** Mounts one. */
  static MemoryDisk mount(Path path, int megabytes) throws IOException {
    Files.createDirectories(path);
    Shell.run("mount -t tmpfs -o size=" + megabytes + "m none " + path);
    return new MemoryDisk(path);
  }

  /** Where the node keeps its files. */
  Path data() {
    return path.resolve("data");
  }

  private Path filler() {
    return path.resolve("filler");
  }

  /** Takes all room, to the last page. */
  void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(filler())) {
      byte[] piece = new byte[PIECE_BYTES];
      int length = PIECE_BYTES;
      while (length > 0) {
        try {
          out.write(piece, 0, length);
        } catch (IOException full) {
          length /= 2;
        }
      }
    }
  }

  void free() throws IOException {
    Files.deleteIfExists(filler());
  }
}
