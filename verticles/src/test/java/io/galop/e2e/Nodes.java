package io.galop.e2e;

import io.galop.servers.Ports;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A cluster of the packed jar, each node with a name, roles and a data directory of its own. */
final class Nodes implements AutoCloseable {
  private final Path directory;
  private final List<String> shared;
  private final Map<String, Integer> ports = new HashMap<>();
  private final Map<String, GalopProcess> running = new HashMap<>();
  private List<String> jvm = List.of();

  /**
   * @param names of all nodes there may be
   */
  Nodes(Path directory, List<String> names, List<String> shared) {
    this.directory = directory;
    names.forEach(name -> ports.put(name, Ports.free()));
    String members =
        ports.values().stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(", "));
    this.shared = new ArrayList<>(shared);
    set("cluster.members=[" + members + "]");
    set("cluster.name=test-" + System.nanoTime());
    set("cluster.busPort=0");
  }

  /** Gives every node that is started from now on options of the Java machine. */
  Nodes with(List<String> options) {
    jvm = options;
    return this;
  }

  private void set(String value) {
    shared.addAll(List.of("--set", value));
  }

  /** Starts a node, on its old data if it was there before, and waits until it serves. */
  GalopProcess start(String name, String roles, String... more) {
    GalopProcess node = begin(name, roles, more);
    awaitReady(node);
    return node;
  }

  /** Starts a node that may have to wait for others before it serves. */
  GalopProcess begin(String name, String roles, String... more) {
    List<String> args = new ArrayList<>(shared);
    args.addAll(List.of(more));
    args.addAll(List.of("--roles", roles, "--set", "node.name=" + name));
    args.addAll(List.of("--set", "cluster.port=" + ports.get(name)));
    GalopProcess node = GalopProcess.run(directory.resolve(name), jvm, args);
    running.put(name, node);
    return node;
  }

  static void awaitReady(GalopProcess node) {
    Await.until("the node is ready", 120, () -> isReady(node));
  }

  static boolean isReady(GalopProcess node) throws IOException, InterruptedException {
    return Stored.get(node.management("/health/ready")).statusCode() == 200;
  }

  /** The names of the nodes that this one believes to be up. */
  static Set<String> members(GalopProcess node) throws IOException, InterruptedException {
    return new JsonObject(Stored.get(node.management("/status")).body())
        .getJsonArray("members").stream()
            .map(member -> ((JsonObject) member).getString("name"))
            .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    running.values().forEach(GalopProcess::close);
  }
}
