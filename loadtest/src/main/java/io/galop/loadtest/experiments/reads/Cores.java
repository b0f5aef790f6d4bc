package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.targets.Jcmd;
import io.galop.loadtest.targets.Launch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Binds the threads of a node that answer to cores, with {@code taskset} of util-linux. */
final class Cores {
  private static final String PROGRAM = "taskset";
  private static final String ALLOWED = "Cpus_allowed_list:";

  /** Names of the threads that answer, in the order in which they get their cores. */
  private static final List<String> NAMES = List.of("vert.x-eventloop-thread-", "galop-history-");

  private Cores() {}

  /** Fails if threads cannot be bound here. */
  static void require() throws IOException, InterruptedException {
    try {
      run(List.of(PROGRAM, "--version"));
    } catch (IOException e) {
      throw new IOException(
          "taskset is not on this machine: install util-linux, or leave 'bound' out of"
              + " measure.reads.threads",
          e);
    }
  }

  /**
   * Gives each event loop and each thread that searches one core, in turn.
   *
   * @return how many threads that were
   */
  static int bind(long pid) throws IOException, InterruptedException {
    List<Integer> cores = list(allowed(Path.of("/proc/self/status")));
    Map<String, Long> threads = new Jcmd(Launch.java(), pid).threads();
    List<Long> answering = new ArrayList<>();
    for (String name : NAMES) {
      threads.forEach(
          (thread, id) -> {
            if (thread.startsWith(name)) {
              answering.add(id);
            }
          });
    }
    for (int i = 0; i < answering.size(); i++) {
      String core = "" + cores.get(i % cores.size());
      run(List.of(PROGRAM, "-p", "-c", core, "" + answering.get(i)));
      Path status = Path.of("/proc", "" + pid, "task", "" + answering.get(i), "status");
      if (!allowed(status).equals(core)) {
        throw new IOException(
            "thread " + answering.get(i) + " is not bound to core " + core + ": " + status);
      }
    }
    return answering.size();
  }

  private static String allowed(Path status) throws IOException {
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(ALLOWED))
        .map(line -> line.substring(ALLOWED.length()).strip())
        .findFirst()
        .orElseThrow(() -> new IOException(status + " does not tell " + ALLOWED));
  }

  /** The numbers of a list as in {@code 0-3,8}. */
  static List<Integer> list(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String range : text.split(",")) {
      String[] ends = range.split("-");
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int number = Integer.parseInt(ends[0]); number <= last; number++) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + text.strip());
    }
  }
}
