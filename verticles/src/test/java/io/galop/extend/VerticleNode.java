package io.galop.extend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.GalopNode;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A real node with verticles, in this JVM, and what its users see of it. */
public final class VerticleNode implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private final GalopNode node;

  private VerticleNode(GalopNode node) {
    this.node = node;
  }

  /** The configuration of a node on free ports. */
  public static GalopConfig config(Path directory, String verticles, String... more) {
    List<String> sets = sets(directory);
    sets.addAll(List.of("verticles=" + verticles, "enrich.directory=" + directory));
    sets.addAll(List.of(more));
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
  }

  private static List<String> sets(Path directory) {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    sets.add("node.eventLoops=2");
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    return sets;
  }

  /** A node with a configuration file in the directory, on free ports. */
  public static VerticleNode run(Path directory, String file) {
    Optional<Path> config = Optional.of(directory.resolve(file));
    return new VerticleNode(
        GalopNode.start(ConfigLoader.load(config, Map.of(), sets(directory), Map.of())));
  }

  public static VerticleNode start(Path directory, String verticles, String... more) {
    return new VerticleNode(GalopNode.start(config(directory, verticles, more)));
  }

  private URI uri(String listener, String path) {
    return URI.create("http://" + node.listeners().get(listener) + path);
  }

  private static String get(URI uri) throws Exception {
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  /** What a server answers. */
  public static String body(String url) throws Exception {
    return get(URI.create(url));
  }

  /** Publishes lines by HTTP; all have to be accepted. */
  public void publish(List<String> lines) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri("http", "/publish"))
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(String.join("\n", lines)))
            .build();
    String answer = HTTP.send(request, BodyHandlers.ofString()).body();
    assertEquals(lines.size(), new JsonObject(answer).getInteger("accepted"), answer);
  }

  /** What history has of a filter, once there are so many. */
  public List<JsonObject> history(String filter, int count) throws Exception {
    URI uri = uri("http", "/history/" + filter.replace("#", "%23") + "?order=asc");
    await(() -> new JsonArray(get(uri)).size() >= count, () -> get(uri));
    return new JsonArray(get(uri)).stream().map(JsonObject.class::cast).toList();
  }

  /** The data of the first record of a topic, as it is stored. */
  public String historyData(String topic) throws Exception {
    history(topic, 1);
    String line = get(uri("http", "/history/" + topic + "?order=asc&limit=1"));
    int data = line.indexOf("\"data\":") + "\"data\":".length();
    int position = line.lastIndexOf(",\"pos\":");
    return line.substring(data, position < 0 ? line.lastIndexOf("}]") : position);
  }

  /** What {@code /status} says of a verticle. */
  public JsonObject status(String name) throws Exception {
    JsonObject status = new JsonObject(get(uri("management", "/status")));
    return status.getJsonArray("verticles").stream()
        .map(JsonObject.class::cast)
        .filter(verticle -> verticle.getString("name").equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(status.encodePrettily()));
  }

  /** Waits until a verticle has counted so much. */
  public void awaitCount(String name, String field, long least) throws Exception {
    await(() -> status(name).getLong(field) >= least, () -> status(name).encodePrettily());
  }

  /** A browser that looks at a filter; its records. */
  public BlockingQueue<JsonObject> watch(String filter) throws Exception {
    BlockingQueue<JsonObject> records = new LinkedBlockingQueue<>();
    BlockingQueue<String> pongs = new LinkedBlockingQueue<>();
    URI uri = URI.create("ws://" + node.listeners().get("http") + "/live/websocket");
    WebSocket socket =
        HTTP.newWebSocketBuilder()
            .buildAsync(uri, new Listener(records, pongs))
            .get(60, TimeUnit.SECONDS);
    JsonObject register = new JsonObject().put("type", "register").put("address", filter);
    socket.sendText(register.encode(), true).get(60, TimeUnit.SECONDS);
    socket.sendText("{\"type\":\"ping\"}", true).get(60, TimeUnit.SECONDS);
    assertTrue(pongs.poll(60, TimeUnit.SECONDS) != null, "not registered");
    return records;
  }

  private static final class Listener implements WebSocket.Listener {
    private final BlockingQueue<JsonObject> records;
    private final BlockingQueue<String> pongs;
    private final StringBuilder text = new StringBuilder();

    Listener(BlockingQueue<JsonObject> records, BlockingQueue<String> pongs) {
      this.records = records;
      this.pongs = pongs;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        JsonObject message = new JsonObject(text.toString());
        text.setLength(0);
        switch (message.getString("type")) {
          case "rec" -> records.add(message);
          case "pong" -> pongs.add("pong");
          default -> {}
        }
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, java.nio.ByteBuffer bytes, boolean last) {
      return onText(socket, java.nio.charset.StandardCharsets.UTF_8.decode(bytes), last);
    }
  }

  private static void await(Callable<Boolean> state, Callable<String> shown) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!state.call()) {
      assertTrue(System.nanoTime() < deadline, shown.call());
      Thread.sleep(20);
    }
  }

  @Override
  public void close() {
    node.close();
  }
}
