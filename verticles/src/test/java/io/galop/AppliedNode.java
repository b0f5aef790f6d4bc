package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.config.ConfigSource;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A node that is brought other configurations by the command, while viewers are connected. */
final class AppliedNode implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final long PATIENCE_SECONDS = 60;

  private final Path directory;
  private final GalopNode node;
  private final List<WebSocket> sockets = new CopyOnWriteArrayList<>();

  AppliedNode(Path directory, String yaml) throws Exception {
    this.directory = directory;
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    ConfigSource source = new ConfigSource(Optional.of(file(yaml)), Map.of(), sets, Map.of());
    this.node = GalopNode.start(source.load(), source);
  }

  private Path file(String yaml) throws Exception {
    return Files.writeString(directory.resolve("node.yaml"), yaml);
  }

  private TestConsole apply(int exitCode, String yaml) throws Exception {
    TestConsole console = new TestConsole();
    String url = "http://" + node.listeners().get("management");
    int code = console.run("apply", file(yaml).toString(), "--url", url);
    assertEquals(exitCode, code, console.out() + console.err());
    return console;
  }

  /** Has the node take it; the difference has to be of this path. */
  void takes(String path, String yaml) throws Exception {
    String out = apply(0, yaml).out();
    assertTrue(out.contains("applied: " + path + ": "), out);
  }

  /** Has the node refuse it as wrong; returns what it says. */
  String refuses(String yaml) throws Exception {
    return apply(2, yaml).err();
  }

  String get(String listener, String path) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get(listener) + path);
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  /** A meter by its name and tags, as they are written for Prometheus. */
  double metric(String name) {
    try {
      return get("management", "/metrics")
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no meter " + name));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Comes back when it is acknowledged. */
  void publish(String id, String topic, String data) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("http") + "/publish");
    String body = "{\"id\":\"%s\",\"topic\":\"%s\",\"data\":%s}".formatted(id, topic, data);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    assertEquals(202, HTTP.send(request, BodyHandlers.ofString()).statusCode());
  }

  /** A viewer of a filter, who is told of the feed as well. */
  Viewer viewer(String filter, String query) throws Exception {
    Viewer viewer = new Viewer();
    URI uri = URI.create("ws://" + node.listeners().get("http") + "/live/websocket" + query);
    WebSocket socket =
        HTTP.newWebSocketBuilder().buildAsync(uri, viewer).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    sockets.add(socket);
    JsonObject register =
        new JsonObject()
            .put("type", "register")
            .put("address", filter)
            .put("headers", new JsonObject().put("words", "true"));
    socket.sendText(register.encode(), true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    socket.sendText("{\"type\":\"ping\"}", true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    viewer.await("pong", () -> viewer.has("pong", ""));
    return viewer;
  }

  /** Waits until something is so. */
  static void await(String what, BooleanSupplier isSo) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!isSo.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "never came: " + what);
      Thread.sleep(10);
    }
  }

  @Override
  public void close() {
    sockets.forEach(WebSocket::abort);
    node.close();
  }

  /** Somebody who stays connected. */
  static final class Viewer implements WebSocket.Listener {
    private final StringBuilder part = new StringBuilder();
    private final List<JsonObject> messages = new CopyOnWriteArrayList<>();
    private volatile int closed;

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
      part.append(text);
      if (isLast) {
        messages.add(new JsonObject(part.toString()));
        part.setLength(0);
      }
      return WebSocket.Listener.super.onText(socket, text, isLast);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      closed = code;
      return WebSocket.Listener.super.onClose(socket, code, reason);
    }

    /** The code of its end; 0 while it is connected. */
    int closed() {
      return closed;
    }

    /** Whether a message of a type came, that has a text in it. */
    boolean has(String type, String text) {
      return count(type, text) > 0;
    }

    /** How many of these came. */
    long count(String type, String text) {
      return messages.stream()
          .filter(one -> type.equals(one.getString("type")) && one.encode().contains(text))
          .count();
    }

    /** Waits for it, while the viewer is connected. */
    void await(String what, BooleanSupplier isSo) throws Exception {
      AppliedNode.await(what + " in " + messages, () -> isSo.getAsBoolean() || closed != 0);
      assertTrue(isSo.getAsBoolean(), () -> what + " before the end with " + closed);
    }

    /** Waits for a record, which nobody else than the node can have sent. */
    void awaitRecord(String id) throws Exception {
      await("record " + id, () -> has("rec", "\"id\":\"" + id + "\""));
      assertFalse(closed != 0, () -> "closed with " + closed);
    }

    @Override
    public String toString() {
      return messages.toString();
    }
  }
}
