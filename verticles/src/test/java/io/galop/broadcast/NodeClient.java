package io.galop.broadcast;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/** A client from npm, as users have it, in a process of its own. */
final class NodeClient implements AutoCloseable {
  private static final Path SCRIPTS = Path.of("src/test/node").toAbsolutePath();

  final List<JsonObject> messages = new CopyOnWriteArrayList<>();
  private final Process process;

  private NodeClient(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Thread reader = new Thread(this::read, "client " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a script and waits until it is connected. */
  static NodeClient start(String script, String... arguments) throws Exception {
    Assumptions.assumeTrue(
        Files.isDirectory(SCRIPTS.resolve("node_modules")),
        "the clients are not there: run npm ci in verticles/src/test/node");
    List<String> command = new ArrayList<>(List.of("node", SCRIPTS.resolve(script).toString()));
    command.addAll(List.of(arguments));
    NodeClient client = new NodeClient(command);
    client.await("open", 1);
    return client;
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      lines.lines().map(JsonObject::new).forEach(messages::add);
    } catch (IOException | UncheckedIOException e) {
      messages.add(new JsonObject().put("type", "cut").put("why", e.getMessage()));
    }
  }

  List<JsonObject> all(String type) {
    return messages.stream().filter(message -> type.equals(message.getString("type"))).toList();
  }

  List<JsonObject> await(String type, int count) throws Exception {
    LiveClient.await(count + " of " + type, () -> all(type).size() >= count);
    return all(type);
  }

  /** The types of all that it has printed. */
  Set<String> types() {
    return messages.stream().map(message -> message.getString("type")).collect(Collectors.toSet());
  }

  List<String> ids() {
    return all("rec").stream()
        .map(message -> message.getJsonObject("body").getString("id"))
        .toList();
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly();
    process.waitFor(10, TimeUnit.SECONDS);
  }
}
