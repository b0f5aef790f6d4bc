package io.galop.ie8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The packed jar as a node of its own. */
final class PackedNode implements AutoCloseable {
  private static final List<String> FREE_PORTS =
      List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge");

  private final Process process;
  private final String address;

  private PackedNode(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  /** Starts one, and waits until it is ready. */
  static PackedNode start(Path directory) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    command.addAll(List.of("-jar", System.getProperty("galop.jar"), "run"));
    command.addAll(List.of("--set", "node.dataDir=" + directory));
    FREE_PORTS.forEach(name -> command.addAll(List.of("--set", name + ".port=0")));
    // The emulation runs no other script of a page while it waits for one from the network.
    command.addAll(List.of("--set", "broadcast.heartbeatMs=1000"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    StringBuilder output = new StringBuilder();
    String address = null;
    BufferedReader lines = process.inputReader();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.append(line).append('\n');
      address = line.startsWith("listening http ") ? line.split(" ")[2] : address;
      if (line.startsWith("galop ") && line.endsWith(" ready")) {
        drain(lines);
        return new PackedNode(process, address);
      }
    }
    throw new AssertionError("the node did not start:\n" + output);
  }

  private static void drain(BufferedReader lines) {
    Thread reader = new Thread(() -> lines.lines().forEach(line -> {}), "output of the node");
    reader.setDaemon(true);
    reader.start();
  }

  String url(String path) {
    return "http://" + address + path;
  }

  /** Publishes {@code {"n":number}}; it is on disk when this returns. */
  void publish(String topic, int number) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url("/publish/" + topic)))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"n\":" + number + "}"))
            .build();
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 202) {
        throw new AssertionError(answer.statusCode() + ": " + answer.body());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
