package io.galop.e2e;

import io.galop.record.Position;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A client from npm in a Node.js process of its own, and every message that it was sent. */
final class Viewer implements AutoCloseable {
  private static final Path SCRIPTS = Path.of("src/test/node").toAbsolutePath();

  private final Process process;
  private final List<JsonObject> messages = Collections.synchronizedList(new ArrayList<>());

  private Viewer(String script, List<String> args) {
    List<String> command = new ArrayList<>(List.of("node", SCRIPTS.resolve(script).toString()));
    command.addAll(args);
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException("node is needed; the test command installs it", e);
    }
    Thread reader = new Thread(this::read, "viewer " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** sockjs-client on one transport, registered for a filter. */
  static Viewer on(URI live, String transport, String filter, String... flags) {
    List<String> args = new ArrayList<>(List.of(live.toString(), transport, filter));
    args.addAll(List.of(flags));
    return new Viewer("viewer.js", args).awaitOpen();
  }

  /** Many viewers in one process, which go to the next node when they are sent away. */
  static Viewer leavingCrowd(int count, String filter, URI... nodes) {
    List<String> args = new ArrayList<>(List.of(Integer.toString(count), filter));
    List.of(nodes).forEach(node -> args.add(node.toString()));
    return new Viewer("leaving-crowd.js", args).awaitOpen();
  }

  /** The event-bus bridge's own client, registered for an address. */
  static Viewer bridgeClient(URI live, String address) {
    return new Viewer("bridge-client.js", List.of(live.toString(), address)).awaitOpen();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        messages.add(new JsonObject(line));
      }
    } catch (IOException e) {
      messages.add(new JsonObject().put("type", "cut").put("why", e.getMessage()));
    }
  }

  private Viewer awaitOpen() {
    Await.until(
        "a viewer opens", 120, () -> !all(m -> "open".equals(m.getString("type"))).isEmpty());
    return this;
  }

  /** All messages that fit, in the order of their arrival. */
  List<JsonObject> all(Predicate<JsonObject> fits) {
    synchronized (messages) {
      return messages.stream().filter(fits).toList();
    }
  }

  /** All messages of a type. */
  List<JsonObject> all(String type) {
    return all(message -> type.equals(message.getString("type")));
  }

  /** The records seen, each once. */
  Set<Seen> records() {
    return all("rec").stream()
        .map(message -> Seen.of(message.getJsonObject("body")))
        .collect(Collectors.toSet());
  }

  /** Shard → newest Position, from records and from the words that end a snapshot or resume. */
  Map<Integer, Position> positions() {
    Map<Integer, Position> newest = new HashMap<>();
    for (JsonObject message : all(any -> true)) {
      JsonObject headers = message.getJsonObject("headers", message);
      for (String text : headers.getString("pos", "").split(",")) {
        if (!text.isEmpty()) {
          Position position = Position.parse(text);
          newest.merge(position.shard(), position, (a, b) -> a.compareTo(b) >= 0 ? a : b);
        }
      }
    }
    return newest;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
