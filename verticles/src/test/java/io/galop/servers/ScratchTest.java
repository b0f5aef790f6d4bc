package io.galop.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What programs that measure leave in the machine's temporary directory: nothing. */
@Tag("slow")
@Timeout(180)
class ScratchTest {
  @TempDir Path directory;

  /** A program that writes all the time, with a store. */
  static final class Program {
    public static void main(String[] args) throws Exception {
      Path scratch = Scratch.directory("scratch");
      RedisServer redis = new RedisServer();
      redis.start();
      System.out.println("ready");
      for (int i = 0; args.length == 0; i++) {
        Path deep = Files.createDirectory(scratch.resolve("" + i));
        Files.writeString(deep.resolve("file"), "x");
        Thread.sleep(1);
      }
      Files.writeString(scratch.resolve("file"), "x");
    }
  }

  private Process start(String... args) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + directory,
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName());
    return new ProcessBuilder(Stream.concat(command.stream(), Stream.of(args)).toList())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private void awaitReady(Process program) throws IOException {
    BufferedReader lines = program.inputReader();
    assertEquals("ready", lines.readLine());
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @Test
  void nothingIsLeftAfterSigterm() throws Exception {
    Process program = start();
    awaitReady(program);
    assertEquals(2, left().size(), left().toString());
    program.destroy();
    assertTrue(program.waitFor(60, TimeUnit.SECONDS));
    assertEquals(List.of(), left());
  }

  @Test
  void nothingIsLeftAfterAnEndThatClosesNothing() throws Exception {
    Process program = start("end");
    awaitReady(program);
    assertTrue(program.waitFor(60, TimeUnit.SECONDS));
    assertEquals(List.of(), left());
  }
}
