package io.galop.loadtest.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The clock of a node, which may be set off while it runs.
 *
 * @param library what is loaded into its process before all else
 * @param offset a file with the seconds, which that library maps: written in place, never cut
 */
record NodeClock(Path library, Path offset) {
  /** Compiles the library. */
  static Path compile(Path directory) throws IOException {
    Path source = directory.resolve("clock.c");
    Path library = directory.resolve("clock.so");
    try (InputStream in = NodeClock.class.getResourceAsStream("/peers/clock/clock.c")) {
      Files.copy(in, source);
    }
    Shell.run(List.of("cc", "-O2", "-shared", "-fPIC", "-o", "" + library, "" + source, "-ldl"));
    return library;
  }

  void set(long seconds) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(offset.toFile(), "rw")) {
      // The machines that this runs on have the small end first.
      file.writeLong(Long.reverseBytes(seconds));
    }
  }

  /** What starts a program under this clock. */
  List<String> command() {
    return List.of("env", "LD_PRELOAD=" + library, "CHAOS_CLOCK=" + offset);
  }
}
