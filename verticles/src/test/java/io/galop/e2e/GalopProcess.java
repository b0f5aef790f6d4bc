package io.galop.e2e;

import io.galop.servers.Scratch;
import io.galop.servers.Signal;
import io.galop.servers.Stalls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The packed jar as a process of its own, on free ports, with what it prints collected. */
final class GalopProcess implements AutoCloseable {
  private static final int START_TIMEOUT_SECONDS = 120;

  private final Process process;
  private final List<String> output = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, String> listeners = new ConcurrentHashMap<>();
  private final CountDownLatch readyOrEnded = new CountDownLatch(1);
  private volatile boolean ready;

  private GalopProcess(Process process) {
    this.process = process;
    Scratch.isUsedBy(process);
    Thread reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts {@code galop run} with its own data directory and free ports, and waits until it is up.
   */
  static GalopProcess run(Path dataDir, List<String> jvm, List<String> args) {
    return run(dataDir, jvm, Map.of(), args);
  }

  /** The same with more in its environment. */
  static GalopProcess run(
      Path dataDir, List<String> jvm, Map<String, String> environment, List<String> args) {
    return node("run", dataDir, jvm, environment, args);
  }

  /** The same for {@code galop demo}. */
  static GalopProcess demo(Path dataDir, List<String> args) {
    return node("demo", dataDir, List.of(), Map.of(), args);
  }

  /** The same for {@code galop run} in a network namespace. */
  static GalopProcess run(NetworkZone zone, Path dataDir, List<String> args) {
    List<String> java = new ArrayList<>(zone.prefix());
    java.add(java());
    return start(
            Path.of("."),
            java,
            List.of(),
            Map.of(),
            jar("galop.jar"),
            arguments("run", dataDir, args))
        .awaitReady();
  }

  private static GalopProcess node(
      String command,
      Path dataDir,
      List<String> jvm,
      Map<String, String> environment,
      List<String> args) {
    List<String> all = arguments(command, dataDir, args);
    return start(Path.of("."), jvm, environment, jar("galop.jar"), all).awaitReady();
  }

  private static List<String> arguments(String command, Path dataDir, List<String> args) {
    List<String> all = new ArrayList<>(List.of(command, "--set", "node.dataDir=" + dataDir));
    for (String port : List.of("http.port", "management.port", "ingest.tcp.port")) {
      all.addAll(List.of("--set", port + "=0"));
    }
    for (String port : List.of("ingest.mqtt.port", "ingest.bridge.port")) {
      all.addAll(List.of("--set", port + "=0"));
    }
    all.addAll(args);
    return all;
  }

  /**
   * The same for {@code galop run} by a shell.
   *
   * @param line starts it as {@code "$@"}
   */
  static GalopProcess runBy(String line, Path dataDir, List<String> jvm, List<String> args) {
    List<String> java = List.of("sh", "-c", line, "sh", java());
    List<String> all = arguments("run", dataDir, args);
    return start(Path.of("."), java, jvm, Map.of(), jar("galop.jar"), all).awaitReady();
  }

  /** Starts {@code galop run} in a directory, with defaults but for ports, and waits for it. */
  static GalopProcess runIn(Path directory, List<String> jvm, List<String> args) {
    List<String> all = new ArrayList<>(List.of("run"));
    all.addAll(args);
    return start(directory, jvm, Map.of(), jar("galop.jar"), all).awaitReady();
  }

  /** Starts any command. */
  static GalopProcess start(List<String> jvm, List<String> args) {
    return start(jvm, jar("galop.jar"), args);
  }

  /** Starts a jar that stands beside the product's. */
  static GalopProcess startJar(String name, List<String> args) {
    return start(List.of(), jar(name), args);
  }

  private static GalopProcess start(List<String> jvm, Path jar, List<String> args) {
    return start(Path.of("."), jvm, Map.of(), jar, args);
  }

  private static GalopProcess start(
      Path directory,
      List<String> jvm,
      Map<String, String> environment,
      Path jar,
      List<String> args) {
    return start(directory, List.of(java()), jvm, environment, jar, args);
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static GalopProcess start(
      Path directory,
      List<String> java,
      List<String> jvm,
      Map<String, String> environment,
      Path jar,
      List<String> args) {
    List<String> command = new ArrayList<>(java);
    command.addAll(options(jar, jvm));
    command.addAll(jvm);
    command.addAll(List.of("-jar", jar.toAbsolutePath().toString()));
    command.addAll(args);
    try {
      ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
      program.environment().putAll(environment);
      return new GalopProcess(program.directory(directory.toFile()).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What all nodes start with that no test asks for. */
  private static List<String> options(Path jar, List<String> jvm) {
    List<String> options = new ArrayList<>();
    if (jar.endsWith("galop.jar") && jvm.stream().noneMatch(GalopProcess::isArchive)) {
      options.addAll(QuickStart.archive());
    }
    String compiler = System.getProperty("galop.node.compiler", "");
    if (!compiler.isEmpty()) {
      options.add(compiler);
    }
    return options;
  }

  private static boolean isArchive(String option) {
    return option.startsWith("-XX:SharedArchiveFile");
  }

  /** One of the jars that the build makes. */
  static Path jar(String name) {
    Path jar = Path.of(System.getProperty("galop.jar", "target/galop.jar")).resolveSibling(name);
    if (!Files.exists(jar)) {
      throw new IllegalStateException(jar + " is not there: mvn package makes it");
    }
    return jar;
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        onLine(line);
      }
    } catch (IOException e) {
      output.add("(output cut off: " + e.getMessage() + ")");
    }
    readyOrEnded.countDown();
  }

  private void onLine(String line) {
    output.add(line);
    String[] words = line.split(" ");
    if (line.startsWith("listening ") && words.length == 3) {
      listeners.put(words[1], words[2]);
    }
    if (line.startsWith("galop ") && line.endsWith(" ready")) {
      ready = true;
      readyOrEnded.countDown();
    }
  }

  private GalopProcess awaitReady() {
    try {
      if (!readyOrEnded.await(START_TIMEOUT_SECONDS, TimeUnit.SECONDS) || !ready) {
        process.destroyForcibly();
        throw new AssertionError("the node did not start:\n" + String.join("\n", output));
      }
      return this;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for the end of the process; its exit code. */
  int awaitExit(long seconds) throws InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      throw new AssertionError("still running after " + seconds + " s:\n" + text());
    }
    readyOrEnded.await(60, TimeUnit.SECONDS);
    return process.exitValue();
  }

  /** {@code host:port} of a listener, such as {@code http}, {@code tcp}, {@code management}. */
  String address(String listener) {
    String address = listeners.get(listener);
    if (address == null) {
      throw new AssertionError("no listener " + listener + " among " + listeners);
    }
    return address;
  }

  URI http(String path) {
    return URI.create("http://" + address("http") + path);
  }

  URI management(String path) {
    return URI.create("http://" + address("management") + path);
  }

  /** What it has printed so far. */
  String text() {
    return String.join("\n", List.copyOf(output));
  }

  /** The same without what it says of a machine that stands still. */
  String complaints() {
    return Stalls.without(text());
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** {@code SIGSTOP}: the process stands still, and its sockets stay open. */
  void freeze() {
    Signal.send("STOP", process.pid());
  }

  /** {@code SIGCONT}: it goes on as if nothing had been. */
  void thaw() {
    Signal.send("CONT", process.pid());
  }

  /** {@code SIGTERM}, as an operator or a container would. */
  void terminate() {
    process.destroy();
  }

  /** Ends it in order; cuts it off when it does not. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
