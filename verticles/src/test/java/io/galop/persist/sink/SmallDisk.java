package io.galop.persist.sink;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A real file system of a few MB, to be filled. Needs root. */
record SmallDisk(Path directory) implements AutoCloseable {
  private static final int PIECE_BYTES = 4_096;

  /** Mounts one, or skips the test with the reason why it cannot. */
  static SmallDisk orSkip(Path directory, int megabytes) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    String wrong = run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", directory);
    assumeTrue(wrong.isEmpty(), "no tmpfs can be mounted here: " + wrong);
    return new SmallDisk(directory);
  }

  private Path filler() {
    return directory.resolve("filler");
  }

  /** Takes all the room that is left. */
  void fill() throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    try (var out = Files.newOutputStream(filler())) {
      while (Files.getFileStore(directory).getUsableSpace() > 0) {
        out.write(piece);
      }
    }
  }

  /** Gives it back. */
  void empty() throws IOException {
    Files.delete(filler());
  }

  private static String run(Object... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(java.util.Arrays.stream(command).map(Object::toString).toList())
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes());
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0
          ? ""
          : command[0] + " failed: " + output.strip();
    } catch (IOException e) {
      return command[0] + ": " + e.getMessage();
    }
  }

  @Override
  public void close() throws InterruptedException {
    run("umount", "-l", directory);
  }
}
