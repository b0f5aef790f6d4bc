package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code curl -N} on a stream, and every line that it was sent. */
final class Curl implements AutoCloseable {
  private final Process process;
  private final List<JsonObject> lines = Collections.synchronizedList(new ArrayList<>());

  Curl(URI stream) {
    this(List.of(), stream);
  }

  /**
   * @param prefix of the command, as one that begins it elsewhere
   */
  Curl(List<String> prefix, URI stream) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of("curl", "-sN", stream.toString()));
    try {
      process = new ProcessBuilder(command).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread reader = new Thread(this::read, "curl");
    reader.setDaemon(true);
    reader.start();
    Await.until("curl is live", 120, () -> !all("live").isEmpty());
  }

  private void read() {
    try (BufferedReader text = process.inputReader()) {
      text.lines().forEach(line -> lines.add(new JsonObject(line)));
    } catch (IOException | UncheckedIOException e) {
      lines.add(new JsonObject().put("type", "broken"));
    }
  }

  List<JsonObject> all(String type) {
    synchronized (lines) {
      return lines.stream().filter(one -> type.equals(one.getString("type"))).toList();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Set<String> ids() {
    return all("rec").stream()
        .map(one -> one.getJsonObject("body").getString("id"))
        .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
