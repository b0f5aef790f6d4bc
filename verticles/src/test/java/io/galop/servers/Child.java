package io.galop.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A child process, its output in a file. A shell waits beside it for the end of its own input,
 * which comes when this JVM is gone however that came about, and ends the child then.
 */
final class Child {
  private static final long PAUSE_MS = 50;
  private static final int MOST_PRINTED_BYTES = 16_384;

  private final Process process;
  private final Process guard;
  private final Path output;
  private String lastFailure = "";

  Child(List<String> command, Path output) throws IOException {
    this.output = output;
    this.process = start(command, output);
    Scratch.isUsedBy(process);
    String pid = Long.toString(process.pid());
    this.guard = new ProcessBuilder("sh", "-c", "read end; kill -9 \"$0\"", pid).start();
  }

  private static Process start(List<String> command, Path output) throws IOException {
    File file = output.toFile();
    try {
      return new ProcessBuilder(command)
          .redirectInput(new File("/dev/null"))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(file))
          .start();
    } catch (IOException e) {
      throw new IOException(command.get(0) + " is missing; ./test installs it", e);
    }
  }

  /** Runs a command to its end, its output in a file; fails unless it ends well. */
  static void run(List<String> command, Path output, int seconds) throws IOException {
    Process process = start(command, output);
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new AssertionError(String.join(" ", command) + " failed:\n" + tail(output));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException(e);
    }
  }

  /** Why it did not answer when it was asked last. */
  String lastFailure() {
    return lastFailure;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** Asks until the answer is yes; false as soon as the process has ended, or when time is up. */
  boolean awaitAnswer(int seconds, Callable<Boolean> answers) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (process.isAlive() && System.nanoTime() - deadline < 0) {
      if (isYes(answers) && process.isAlive()) {
        return true;
      }
      pause();
    }
    return false;
  }

  private boolean isYes(Callable<Boolean> answers) {
    try {
      return answers.call();
    } catch (Exception e) {
      // Not up yet; the deadline and the end of the process bound the wait.
      lastFailure = e.toString();
      return false;
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The signal is only a request: frozen is what the system says of every thread, also of the
   * processes that it has begun. It is stopped first, so that it begins no more.
   */
  void freeze() {
    freeze(process.pid());
    process.descendants().forEach(one -> freeze(one.pid()));
  }

  private static void freeze(long pid) {
    do {
      Signal.send("STOP", pid);
      pause();
    } while (!isFrozen(pid));
  }

  private static boolean isFrozen(long pid) {
    Path tasks = Path.of("/proc", "" + pid, "task");
    try (Stream<Path> threads = Files.list(tasks)) {
      return threads.allMatch(Child::isStopped);
    } catch (NoSuchFileException e) {
      // One that has ended answers nothing.
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isStopped(Path thread) {
    return "TZ".contains(state(thread));
  }

  /** Also one that nobody has asked yet how it ended. */
  private static boolean isGone(long pid) {
    return "Z".equals(state(Path.of("/proc", "" + pid)));
  }

  /** A letter; that of a process that has ended if there is none of it any more. */
  private static String state(Path of) {
    try {
      String state = Files.readString(of.resolve("stat"));
      int at = state.lastIndexOf(')') + 2;
      return state.substring(at, at + 1);
    } catch (IOException e) {
      return "Z";
    }
  }

  void thaw() {
    if (process.isAlive()) {
      process
          .descendants()
          .filter(one -> "T".equals(state(Path.of("/proc", "" + one.pid()))))
          .forEach(one -> Signal.send("CONT", one.pid()));
      Signal.send("CONT", process.pid());
    }
  }

  /** {@code SIGTERM}; {@code SIGKILL} for one that does not end in time. */
  void end(int seconds) {
    process.destroy();
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new AssertionError("still there " + seconds + " s after SIGTERM:\n" + tail(output));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      kill();
    }
  }

  /** {@code SIGKILL}, also for what it has begun, and waits until all are gone. */
  void kill() {
    List<ProcessHandle> begun = process.descendants().toList();
    guard.destroyForcibly();
    process.destroyForcibly();
    begun.forEach(ProcessHandle::destroyForcibly);
    try {
      process.waitFor();
      guard.waitFor();
      while (!begun.stream().allMatch(one -> isGone(one.pid()))) {
        pause();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The end of what was printed to a file. */
  static String tail(Path output) {
    try {
      byte[] all = Files.readAllBytes(output);
      int from = Math.max(0, all.length - MOST_PRINTED_BYTES);
      return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(no output: " + e.getMessage() + ")";
    }
  }
}
