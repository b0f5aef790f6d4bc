package io.galop.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packed jar with packed add-ons beside it, as a process of its own. */
public final class PackedNode implements AutoCloseable {
  private static final Path ROOT = Path.of(System.getProperty("galop.root", "../.."));
  private static final long START_SECONDS = 180;

  private final Path output;
  private final Process process;

  private PackedNode(Path output, Process process) {
    this.output = output;
    this.process = process;
    Scratch.isUsedBy(process);
  }

  /** Puts the jars into a directory. */
  public static void install(Path directory, String... addOns) throws IOException {
    link(ROOT.resolve("verticles/target/galop.jar"), directory.resolve("galop.jar"));
    Files.createDirectory(directory.resolve("lib"));
    for (String name : addOns) {
      String jar = "galop-" + name + ".jar";
      link(ROOT.resolve("addons/" + name + "/target/" + jar), directory.resolve("lib/" + jar));
    }
  }

  private static void link(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (IOException | UnsupportedOperationException e) {
      Files.copy(from, to);
    }
  }

  /** Starts any command in a directory; what it prints goes to a file there. */
  public static PackedNode start(Path directory, String name, List<String> args)
      throws IOException {
    Path output = Files.createTempFile(directory, name, ".out");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-jar", directory.resolve("galop.jar").toString()));
    command.addAll(args);
    return new PackedNode(
        output,
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start());
  }

  /** Starts a node on free ports and waits until it serves. */
  public static PackedNode run(Path directory, String name, Path config, String... sets)
      throws IOException, InterruptedException {
    List<String> args = new ArrayList<>(List.of("run", "--config", config.toString()));
    args.addAll(List.of("--set", "node.dataDir=" + directory.resolve(name)));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      args.addAll(List.of("--set", part + ".port=0"));
    }
    for (String set : sets) {
      args.addAll(List.of("--set", set));
    }
    PackedNode node = start(directory, name, args);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!node.text().contains(" ready\n")) {
      if (!node.process.isAlive() || System.nanoTime() - deadline > 0) {
        node.kill();
        throw new AssertionError("the node did not start:\n" + node.text());
      }
      Thread.sleep(50);
    }
    return node;
  }

  /** What it has printed so far. */
  public String text() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The address of a path at one of its listeners. */
  public URI uri(String listener, String path) {
    Matcher found = Pattern.compile("(?m)^listening " + listener + " (\\S+)$").matcher(text());
    if (!found.find()) {
      throw new AssertionError("no listener " + listener + ":\n" + text());
    }
    return URI.create("http://" + found.group(1) + path);
  }

  /** What is answered to a GET. */
  public String get(String listener, String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(listener, path)).build()).body();
  }

  /** Publishes lines; whether all of them are acknowledged. */
  public boolean publish(String lines) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri("http", "/publish"))
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(lines))
            .build();
    try {
      HttpResponse<String> answer = send(request);
      return answer.statusCode() == 202 && answer.body().contains("\"rejected\":[]");
    } catch (IOException e) {
      return false;
    }
  }

  private static HttpResponse<String> send(HttpRequest request)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  /** The value of a metric with a label; 0 if it is not there. */
  public double metric(String name, String label) throws IOException, InterruptedException {
    return get("management", "/metrics")
        .lines()
        .filter(line -> line.startsWith(name + "{") && line.contains(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** {@code kill -9}. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** {@code SIGTERM}; its exit code. */
  public int terminate() throws InterruptedException {
    process.destroy();
    return awaitExit();
  }

  /** Its exit code when it has ended. */
  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still running:\n" + text());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
