package io.galop.fuzz;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs Jazzer in a process of its own, on one target or on all at once, from the inputs in {@code
 * src/test/fuzz}. What it finds is kept in {@code target/fuzz}.
 */
public final class FuzzRun {
  static final Path CORPUS = Path.of("src", "test", "fuzz");
  private static final Path FOUND = Path.of("target", "fuzz");
  private static final String INSTRUMENTED =
      "io.galop.**:io.netty.handler.codec.mqtt.**:io.vertx.mqtt.**";

  /** They look for other things, and take what targets do to their own sockets for findings. */
  private static final String NOT_LOOKED_FOR =
      Stream.of("ServerSideRequestForgery", "ReflectiveCall", "RegexInjection", "Deserialization")
          .map("com.code_intelligence.jazzer.sanitizers."::concat)
          .collect(Collectors.joining(File.pathSeparator));

  private static final List<String> JVM =
      List.of(
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+EnableDynamicAgentLoading");

  private static final int STARTS_WITHIN_SECONDS = 600;

  /** The fuzzer takes another one each time. */
  private static final int RANDOM_SEED = 0;

  private FuzzRun() {}

  /** {@code --seconds N [TARGET…]}: so long in all, each target for as long as the others. */
  public static void main(String[] args) throws Exception {
    int seconds = Integer.parseInt(args[1]);
    List<String> names = List.of(args).subList(2, args.length);
    List<String> targets = names.isEmpty() ? List.copyOf(Targets.ALL.keySet()) : names;
    List<String> found = new ArrayList<>();
    for (String target : targets) {
      String finding = run(target, Math.max(1, seconds / targets.size()), RANDOM_SEED);
      System.out.println(finding.isEmpty() ? target + ": nothing found" : finding);
      if (!finding.isEmpty()) {
        found.add(target);
      }
    }
    System.exit(found.isEmpty() ? 0 : 1);
  }

  /**
   * Fuzzes for so long.
   *
   * @param target empty: all at once
   * @param seed of what is tried; 0: another one each time
   * @return what was found and how to see it again; empty if nothing was
   */
  static String run(String target, int seconds, int seed) throws Exception {
    Path work = Files.createTempDirectory("galop-fuzz");
    try {
      Path corpus = Files.createDirectory(work.resolve("corpus"));
      copySeeds(target, corpus);
      Path log = work.resolve("log");
      Process process = start(target, seconds, seed, work, corpus, log);
      boolean ended = process.waitFor(seconds + STARTS_WITHIN_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      String said = Files.readString(log, StandardCharsets.ISO_8859_1);
      return ended && process.exitValue() == 0 ? "" : finding(target, work, said);
    } finally {
      remove(work);
    }
  }

  private static Process start(
      String target, int seconds, int seed, Path work, Path corpus, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(List.of("-cp", classPath()));
    command.add("-Dgalop.fuzz.target=" + target);
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + Fuzz.class.getName());
    command.add("--instrumentation_includes=" + INSTRUMENTED);
    command.add("--custom_hook_includes=io.galop.nothing.**");
    command.add("--disabled_hooks=" + NOT_LOOKED_FOR);
    command.add("--reproducer_path=" + work);
    command.add("-artifact_prefix=" + work + "/");
    command.add("-dict=" + CORPUS.resolve("words.dict").toAbsolutePath());
    command.addAll(List.of("-max_len=4600", "-timeout=150", "-rss_limit_mb=0"));
    command.add("-max_total_time=" + seconds);
    command.add("-seed=" + seed);
    command.add(corpus.toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("GALOP_LOG_LEVEL", "ERROR");
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** Surefire's own class path is a jar that names the others. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Where all are fuzzed at once, each input gets the byte before it that chooses its target. */
  private static void copySeeds(String target, Path to) throws IOException {
    List<String> names = new ArrayList<>(Targets.ALL.keySet());
    for (String name : target.isEmpty() ? names : List.of(target)) {
      for (Path seed : seeds(name)) {
        byte[] input = Files.readAllBytes(seed);
        byte[] chosen = new byte[input.length + 1];
        chosen[0] = (byte) names.indexOf(name);
        System.arraycopy(input, 0, chosen, 1, input.length);
        Path copy = to.resolve(name + "-" + seed.getFileName());
        Files.write(copy, target.isEmpty() ? chosen : input);
      }
    }
  }

  /** The kept inputs of a target. */
  static List<Path> seeds(String target) throws IOException {
    try (Stream<Path> files = Files.list(CORPUS.resolve(target))) {
      return files.sorted().toList();
    }
  }

  private static String finding(String target, Path work, String said) throws IOException {
    int from = Math.max(said.indexOf("== Java Exception"), said.indexOf("== Java Assertion"));
    String what =
        from < 0
            ? tail(said, 3000)
            : said.substring(from).lines().limit(25).reduce("", FuzzRun::line);
    Path input = artifact(work);
    if (input == null) {
      return "the fuzzer ended without an input:\n" + what;
    }
    byte[] bytes = Files.readAllBytes(input);
    List<String> names = new ArrayList<>(Targets.ALL.keySet());
    String name = target.isEmpty() ? names.get(Pieces.choice(bytes) % names.size()) : target;
    byte[] own = target.isEmpty() ? Pieces.rest(bytes) : bytes;
    Path kept = Files.createDirectories(FOUND).resolve(name + "-" + input.getFileName());
    Files.write(kept, own);
    return "%s: an input of %d bytes, in Base64 %s%n%s%nto see it again: ./fuzz --replay %s %s%nwhen it is mended, keep it: mv it to src/test/fuzz/%s/ under a name that says what it is"
        .formatted(
            name,
            own.length,
            Base64.getEncoder().encodeToString(own),
            what,
            name,
            kept.toAbsolutePath(),
            name);
  }

  private static String line(String before, String line) {
    return before + "  " + line + "\n";
  }

  private static String tail(String text, int length) {
    return text.substring(Math.max(0, text.length() - length));
  }

  private static Path artifact(Path work) throws IOException {
    try (Stream<Path> files = Files.list(work)) {
      return files
          .filter(file -> file.getFileName().toString().matches("(crash|timeout|oom|leak)-.*"))
          .findFirst()
          .orElse(null);
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
