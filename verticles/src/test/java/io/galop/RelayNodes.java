package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Nodes and relays inside the test's JVM, and the records that are published to them. */
final class RelayNodes {
  static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int PATIENCE_SECONDS = 90;

  private final Path directory;
  private final int topics;
  private final String filler;
  private int published;

  /**
   * @param directory of their data
   * @param topics over which records go in turn: {@code a/0} and on, with ids {@code r0} and on
   * @param filler of each record's data
   */
  RelayNodes(Path directory, int topics, String filler) {
    this.directory = directory;
    this.topics = topics;
    this.filler = filler;
  }

  /** A node on ports of its own. */
  GalopNode start(String name, String... more) {
    List<String> sets = new ArrayList<>(List.of("node.name=" + name));
    sets.add("node.dataDir=" + directory.resolve(name));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    sets.addAll(List.of(more));
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  /** A relay that is dialled at a port of this machine. */
  GalopNode relay(String name, int port, String... more) {
    List<String> sets =
        new ArrayList<>(
            List.of(
                "node.roles=[broadcast]",
                "broadcast.link.host=127.0.0.1",
                "broadcast.link.port=" + port,
                "broadcast.link.insecure=true"));
    sets.addAll(List.of(more));
    return start(name, sets.toArray(String[]::new));
  }

  /** Publishes so many more records, which must all be acknowledged. */
  void publish(GalopNode node, int records) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int n = published; n < published + records; n++) {
      lines.append(
          "{\"topic\":\"a/%d\",\"id\":\"r%d\",\"data\":{\"n\":%d,\"x\":\"%s\"}}\n"
              .formatted(n % topics, n, n, filler));
    }
    URI uri = URI.create("http://" + node.listeners().get("http") + "/publish");
    HttpRequest post =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(lines.toString()))
            .build();
    HttpResponse<String> answer = HTTP.send(post, BodyHandlers.ofString());
    assertEquals(202, answer.statusCode(), answer.body());
    published += records;
  }

  /** How many records were published. */
  int published() {
    return published;
  }

  /** The ids of all records from a number on. */
  List<String> ids(int from) {
    return IntStream.range(from, published).mapToObj(n -> "r" + n).toList();
  }

  /** The ids of a topic from a number on. */
  List<String> ids(int topic, int from) {
    return ids(from).stream()
        .filter(id -> Integer.parseInt(id.substring(1)) % topics == topic)
        .toList();
  }

  static HttpResponse<String> get(GalopNode node, String listener, String path) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get(listener) + path);
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** What a node's metrics say, over all labels. */
  static long meter(GalopNode node, String name) throws Exception {
    return get(node, "management", "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.call()) {
      assertTrue(System.nanoTime() < deadline, "waited in vain until " + what);
      Thread.sleep(20);
    }
  }

  static void awaitReady(GalopNode relay) throws Exception {
    await(
        "the relay is fed",
        () -> get(relay, "management", "/health/ready/view").statusCode() == 200);
  }

  /** Headers of a registration. */
  static JsonObject snapshot() {
    return new JsonObject().put("snapshot", "true");
  }

  /** Headers of a registration. */
  static JsonObject since(String position) {
    return new JsonObject().put("since", position);
  }
}
