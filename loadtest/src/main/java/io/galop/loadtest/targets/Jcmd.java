package io.galop.loadtest.targets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a JVM with the JDK's own tool. */
public final class Jcmd {
  /** The last line of a histogram: how many objects, how many bytes. */
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");

  /** The kernel's number is hexadecimal up to JDK 18. */
  private static final Pattern THREAD = Pattern.compile("^\"(.+?)\" #.* nid=(\\S+)");

  private static final int COLLECTIONS = 2;

  private final Path program;
  private final long pid;

  /**
   * @param java of the JVM, beside which jcmd is looked for; else the one in the search path
   * @param pid of the JVM
   */
  public Jcmd(Path java, long pid) {
    Path beside = java.resolveSibling("jcmd");
    this.program = Files.isExecutable(beside) ? beside : Path.of("jcmd");
    this.pid = pid;
  }

  /** Collects all garbage; twice, since what finalizes only goes in the second round. */
  public void collect() throws IOException, InterruptedException {
    for (int i = 0; i < COLLECTIONS; i++) {
      run("GC.run");
    }
  }

  /**
   * What all objects that can be reached take, in bytes. The JVM counts them while it stands still:
   * what a busy one allocates after a collection would be in any other figure of its heap.
   */
  public long liveBytes() throws IOException, InterruptedException {
    return total(run("GC.class_histogram"));
  }

  static long total(String histogram) throws IOException {
    Matcher matcher = TOTAL.matcher(histogram);
    if (!matcher.find()) {
      throw new IOException("jcmd does not say what is live: " + histogram);
    }
    return Long.parseLong(matcher.group(1));
  }

  /** The kernel's numbers of all threads by their names, in the order of these. */
  public Map<String, Long> threads() throws IOException, InterruptedException {
    return threads(run("Thread.print"));
  }

  static Map<String, Long> threads(String dump) {
    Map<String, Long> threads = new TreeMap<>();
    for (String line : dump.split("\n")) {
      Matcher matcher = THREAD.matcher(line);
      if (matcher.find()) {
        threads.put(matcher.group(1), Long.decode(matcher.group(2)));
      }
    }
    return threads;
  }

  private String run(String question) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString(), "" + pid, question));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("jcmd " + question + " failed: " + answer);
    }
    return answer;
  }
}
