package io.galop.loadtest.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a load test that did not come to its own clearing up leaves behind: nothing. */
@Timeout(180)
class LeavingsTest {
  @TempDir Path directory;

  /** Starts a process that has started another and writes all the time; ends or waits. */
  static final class Program {
    public static void main(String[] args) throws Exception {
      Path work = Leavings.directory();
      String script = "sleep 300 & echo $!; while true; do date > \"$0/$(date +%N)\"; done";
      Path log = work.resolve("log");
      Process shell = Launch.run(List.of("sh", "-c", script, work.toString()), log);
      while (Files.size(log) == 0) {
        Thread.sleep(10);
      }
      System.out.println(shell.pid() + " " + Files.readString(log).strip());
      if (args[0].equals("wait")) {
        Thread.sleep(TimeUnit.MINUTES.toMillis(5));
      }
    }
  }

  private Process start(String how) throws IOException {
    String java = Launch.java().toString();
    return new ProcessBuilder(
            java,
            "-Djava.io.tmpdir=" + directory,
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName(),
            how)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static List<ProcessHandle> readStarted(Process program) throws IOException {
    BufferedReader lines = program.inputReader();
    List<ProcessHandle> started = new ArrayList<>();
    for (String pid : lines.readLine().split(" ")) {
      ProcessHandle.of(Long.parseLong(pid)).ifPresent(started::add);
    }
    return started;
  }

  private void assertNothingIsLeft(Process program, List<ProcessHandle> started) throws Exception {
    assertTrue(program.waitFor(30, TimeUnit.SECONDS));
    for (ProcessHandle process : started) {
      assertFalse(process.isAlive(), "process " + process.pid());
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void nothingIsLeftAfterSigterm() throws Exception {
    Process program = start("wait");
    List<ProcessHandle> started = readStarted(program);
    assertEquals(2, started.size());
    program.destroy();
    assertNothingIsLeft(program, started);
  }

  @Test
  void nothingIsLeftAfterAnEndThatClosesNothing() throws Exception {
    Process program = start("end");
    assertNothingIsLeft(program, readStarted(program));
  }
}
