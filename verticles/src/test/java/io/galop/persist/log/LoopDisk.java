package io.galop.persist.log;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A real ext4 file system in a file, whose power can be cut. Needs root and loop devices. */
public final class LoopDisk implements AutoCloseable {
  /** FS_IOC_SHUTDOWN with FS_SHUTDOWN_FLAGS_NOLOGFLUSH, from linux/fs.h. */
  private static final String CUT =
      "use Fcntl; sysopen(F, $ARGV[0], O_RDONLY) or die $!;"
          + " my $flag = pack('I', 2); ioctl(F, 0x8004587d, $flag) or die $!";

  private static final long BYTES = 64L << 20;
  private final Path image;
  private final Path mount;

  private LoopDisk(Path directory) {
    this.image = directory.resolve("image");
    this.mount = directory.resolve("mount");
  }

  /** Makes and mounts one, or skips the test with the reason why it cannot. */
  public static LoopDisk orSkip(Path directory) throws IOException, InterruptedException {
    LoopDisk disk = new LoopDisk(directory);
    Files.createDirectories(disk.mount);
    try (RandomAccessFile file = new RandomAccessFile(disk.image.toFile(), "rw")) {
      file.setLength(BYTES);
    }
    String wrong = run("perl", "-e", "1") + run("mkfs.ext4", "-q", "-F", disk.image.toString());
    wrong += wrong.isEmpty() ? disk.tryMount() : "";
    assumeTrue(wrong.isEmpty(), "no loop mount here: " + wrong);
    return disk;
  }

  /** A place on it that is not there yet. */
  public Path directory() {
    return mount.resolve("log");
  }

  private String tryMount() throws InterruptedException {
    return run("mount", "-o", "loop", image.toString(), mount.toString());
  }

  /** What was not forced is gone after the restart. */
  public void cutPower() throws InterruptedException {
    must(run("perl", "-e", CUT, mount.toString()));
  }

  /** Mounts it again. */
  public void restart() throws InterruptedException {
    must(run("umount", mount.toString()));
    must(tryMount());
  }

  private static void must(String wrong) {
    if (!wrong.isEmpty()) {
      throw new IllegalStateException(wrong);
    }
  }

  /** Runs a command; what is wrong, or an empty text. */
  private static String run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
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
    run("umount", mount.toString());
  }
}
