package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Scratch;
import io.galop.servers.Signal;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A terminal with bash: somebody types lines into it, sees what they print, and presses Ctrl-C. */
final class ShellTerminal implements AutoCloseable {
  private static final int MOST_SECONDS = 60;
  private static final String END = "=end=";

  private final Process shell;
  private final Writer keys;
  private final Path screen;
  private int seen;

  ShellTerminal(Path directory, Path screen, Map<String, String> environment) throws IOException {
    this.screen = screen;
    // Whoever runs the tests in the background has Ctrl-C ignored, and all that it starts inherits
    // that.
    ProcessBuilder bash =
        new ProcessBuilder("env", "--default-signal=INT", "bash").directory(directory.toFile());
    bash.environment().putAll(environment);
    shell = bash.redirectErrorStream(true).redirectOutput(screen.toFile()).start();
    Scratch.isUsedBy(shell);
    keys = shell.outputWriter();
  }

  /** Types a command that ends; {@code expected} is all that it prints. */
  void run(String command, List<String> expected) throws IOException {
    String printed = printed(command);
    assertTrue(pattern(expected).matcher(printed).matches(), command + " printed:\n" + printed);
  }

  /** The same for a question that is asked again, for its answer may be on its way. */
  void ask(String command, List<String> expected) {
    Pattern answer = pattern(expected);
    String what = command + " prints " + expected;
    Await.until(what, MOST_SECONDS, () -> answer.matcher(printed(command)).matches());
  }

  private String printed(String command) throws IOException {
    type(command + "\necho " + END);
    Await.until(command + " ends; it printed:\n" + text(), MOST_SECONDS, () -> ended());
    String printed = text().substring(seen);
    seen += printed.length();
    printed = printed.substring(0, printed.lastIndexOf(END));
    if (!printed.isEmpty() && !printed.endsWith("\n")) {
      printed += "\n"; // curl leaves the line open
    }
    return printed;
  }

  private boolean ended() throws IOException {
    return text().substring(seen).endsWith(END + "\n");
  }

  /** Types a command that stays; {@code expected} is how what it prints begins. */
  void leaveRunning(String command, List<String> expected) throws IOException {
    type(command);
    try {
      Await.until(
          command + " prints what it should",
          MOST_SECONDS,
          () -> pattern(expected).matcher(text().substring(seen)).lookingAt());
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; it printed:\n" + text(), e);
    }
  }

  /** Ends what runs, as a terminal does: everything in it gets the signal but the shell. */
  void interrupt() throws IOException {
    List<ProcessHandle> running = shell.descendants().toList();
    running.forEach(one -> Signal.send("INT", one.pid()));
    Await.until(
        "it ends on Ctrl-C: " + running,
        MOST_SECONDS,
        () -> running.stream().noneMatch(ProcessHandle::isAlive));
    seen = text().length();
  }

  private void type(String line) throws IOException {
    keys.write(line + "\n");
    keys.flush();
  }

  /** All that was printed so far; CSV ends lines as RFC 4180 wants, which nobody sees. */
  String text() throws IOException {
    return Files.readString(screen).replace("\r\n", "\n");
  }

  /** Dots stand for what differs, and alone in a line for any number of lines. */
  private static Pattern pattern(List<String> expected) {
    return Pattern.compile(
        expected.stream()
            .map(line -> line.equals("…") ? "(?:.*\\n)*?" : quoted(line) + "\\n")
            .collect(Collectors.joining()));
  }

  private static String quoted(String line) {
    return Pattern.quote(line).replace("…", "\\E.*\\Q");
  }

  @Override
  public void close() throws IOException {
    List<ProcessHandle> all = shell.descendants().sorted(Comparator.reverseOrder()).toList();
    all.forEach(ProcessHandle::destroy);
    shell.destroy();
    try {
      for (ProcessHandle one : all) {
        one.onExit().orTimeout(20, TimeUnit.SECONDS).join();
      }
    } finally {
      all.forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }
}
