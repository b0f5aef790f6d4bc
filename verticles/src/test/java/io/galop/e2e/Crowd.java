package io.galop.e2e;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Many viewers, each on a transport of its own, in one place: a Node.js process, or a page of a
 * browser. {@code src/test/node/crowd.js} is what runs there.
 */
final class Crowd implements AutoCloseable {
  private final Map<String, Watcher> watchers = new ConcurrentHashMap<>();
  private final Consumer<JsonObject> orders;
  private final Supplier<JsonArray> told;
  private final Runnable end;

  private Crowd(Consumer<JsonObject> orders, Supplier<JsonArray> told, Runnable end) {
    this.orders = orders;
    this.told = told;
    this.end = end;
  }

  /**
   * Viewers in a page.
   *
   * @param told what they were told since it was last asked: {@code [{viewer, message}…]}
   */
  static Crowd inPage(Consumer<JsonObject> orders, Supplier<JsonArray> told) {
    return new Crowd(orders, told, () -> {});
  }

  /** Takes what a page has for its viewers; those in Node.js are told at once. */
  void refresh() {
    told.get().forEach(one -> onTold((JsonObject) one));
  }

  /**
   * Viewers in a Node.js process.
   *
   * @param trusted the certificate that they trust, PEM; null where none is needed
   */
  static Crowd inNode(Path trusted) {
    return inNode(trusted, Map.of());
  }

  /** The same with more in its environment. */
  static Crowd inNode(Path trusted, Map<String, String> environment) {
    ProcessBuilder node =
        new ProcessBuilder("node", Path.of("src/test/node/crowd-in-node.js").toString());
    node.environment().putAll(environment);
    if (trusted != null) {
      node.environment().put("NODE_EXTRA_CA_CERTS", trusted.toString());
    }
    try {
      Process process = node.redirectError(ProcessBuilder.Redirect.INHERIT).start();
      PrintWriter input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
      Crowd crowd =
          new Crowd(order -> input.println(order.encode()), JsonArray::new, () -> end(process));
      Thread reader = new Thread(() -> crowd.read(process), "crowd " + process.pid());
      reader.setDaemon(true);
      reader.start();
      return crowd;
    } catch (IOException e) {
      throw new UncheckedIOException("node is needed; the test command installs it", e);
    }
  }

  private void read(Process process) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        onTold(new JsonObject(line));
      }
    } catch (IOException e) {
      watchers.values().forEach(one -> one.onMessage(new JsonObject().put("type", "cut")));
    }
  }

  private void onTold(JsonObject told) {
    watchers.get(told.getString("viewer")).onMessage(told.getJsonObject("message"));
  }

  /**
   * Opens a viewer.
   *
   * @param urls where to connect first, and where to come back to; one: it does not come back
   * @param registers filter → headers
   * @param flags {@code again}: it comes back to one address too; {@code watch}: it notices silence
   */
  Watcher open(
      String name,
      String transport,
      List<String> urls,
      Map<String, JsonObject> registers,
      String... flags) {
    Watcher watcher = new Watcher(name, transport);
    watchers.put(name, watcher);
    JsonArray wanted = new JsonArray();
    registers.forEach(
        (filter, headers) ->
            wanted.add(new JsonObject().put("address", filter).put("headers", headers)));
    JsonObject order =
        new JsonObject()
            .put("act", "open")
            .put("viewer", name)
            .put("transport", transport)
            .put("urls", new JsonArray(urls))
            .put("registers", wanted);
    List.of(flags).forEach(flag -> order.put(flag, true));
    order(order);
    return watcher;
  }

  /** Lets a viewer say something. */
  void say(Watcher viewer, JsonObject message) {
    order(new JsonObject().put("act", "say").put("viewer", viewer.name()).put("message", message));
  }

  /** Lets a viewer leave. */
  void leave(Watcher viewer) {
    order(new JsonObject().put("act", "close").put("viewer", viewer.name()));
  }

  private synchronized void order(JsonObject order) {
    orders.accept(order);
  }

  private static void end(Process process) {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    end.run();
  }
}
