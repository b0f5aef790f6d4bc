package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import io.galop.loadtest.targets.RelayKeys;
import io.galop.loadtest.watch.NodeMetrics;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A storing node and relays that are dialled over mutual TLS, each a process of its own on ports of
 * the loopback interface. Of each list of ports the first is the storing node's.
 */
final class RelayZones implements AutoCloseable {
  /** Many relays start together on one machine. */
  private static final List<String> SMALL =
      List.of("-Xmx96m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final String CONFIG = "galop.yaml";
  private static final String LINKS = "galop_link_up";
  private static final String FED = "galop_link_followers";
  private static final int KINDS = 3;
  private static final long STOP_SECONDS = 20;

  private final GalopLaunch galop;
  private final Path directory = Leavings.directory();
  private final RelayKeys keys = new RelayKeys(directory.resolve("keys"));
  private final List<Process> processes = new ArrayList<>();
  private final TreeShape shape;
  private final int nodes;
  private final int[] https;
  private final int[] managements;

  /** Where the node takes records, and where each relay is dialled. */
  private final int[] doors;

  private RelayZones(GalopLaunch galop, TreeShape shape) throws IOException {
    this.galop = galop;
    this.shape = shape;
    this.nodes = shape.nodes();
    int[] ports = Launch.freePorts(KINDS * nodes);
    this.https = Arrays.copyOfRange(ports, 0, nodes);
    this.managements = Arrays.copyOfRange(ports, nodes, 2 * nodes);
    this.doors = Arrays.copyOfRange(ports, 2 * nodes, KINDS * nodes);
  }

  /** Starts all; relays that dial no others want what is watched. */
  static RelayZones start(GalopLaunch galop, TreeShape shape)
      throws IOException, InterruptedException {
    RelayZones zones = new RelayZones(galop, shape);
    try {
      zones.start();
      return zones;
    } catch (IOException | InterruptedException e) {
      zones.close();
      throw e;
    }
  }

  private void start() throws IOException, InterruptedException {
    keys.make(galop.java(), galop.jar(), List.of());
    for (int i = 0; i < nodes; i++) {
      Files.writeString(
          Files.createDirectory(home(i)).resolve(CONFIG),
          (i == 0 ? storing() : relay(i)).encodePrettily());
      processes.add(launch(i));
    }
    for (int i = 0; i < nodes; i++) {
      awaitReady(i);
    }
  }

  private Process launch(int i) throws IOException {
    List<String> flags = i == 0 ? galop.jvmFlags() : SMALL;
    List<String> command = command(flags, "run", "--config", home(i).resolve(CONFIG).toString());
    galop.settings().forEach(setting -> command.addAll(List.of("--set", setting)));
    return Launch.runAppending(command, log(i));
  }

  private void awaitReady(int i) throws IOException, InterruptedException {
    Launch.awaitOk(processes.get(i), managements[i], "/health/ready", log(i));
  }

  /** As a machine that loses this process; its disk stays. */
  void kill(int node) throws InterruptedException {
    processes.get(node).destroyForcibly().waitFor();
  }

  /** Starts one that was killed, and returns when it is ready. */
  void startAgain(int node) throws IOException, InterruptedException {
    processes.set(node, launch(node));
    awaitReady(node);
  }

  /** Which processes have ended, by themselves unless they were killed. */
  List<Integer> ended() {
    return IntStream.range(0, nodes).filter(i -> !processes.get(i).isAlive()).boxed().toList();
  }

  /** Whether every link is up, as both of its ends say. */
  boolean isLinked() throws InterruptedException {
    List<InetSocketAddress> all = Arrays.stream(managements).mapToObj(Launch::loopback).toList();
    return NodeMetrics.of(all).sum(LINKS) >= 2 * shape.links();
  }

  /** Which of some processes feeds most relays behind it, over all shards. */
  int feedsMost(List<Integer> some) throws InterruptedException {
    int best = some.get(0);
    double most = -1;
    for (int node : some) {
      double fed = NodeMetrics.of(List.of(Launch.loopback(managements[node]))).sum(FED);
      if (fed > most) {
        best = node;
        most = fed;
      }
    }
    return best;
  }

  /** Keeps what the processes have said. */
  void copyLogs(Path to) throws IOException {
    Files.createDirectories(to);
    for (int i = 0; i < nodes; i++) {
      Files.copy(log(i), to.resolve(name(i) + ".log"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** What a process is called. */
  static String name(int node) {
    return "node-" + node;
  }

  private List<String> command(List<String> flags, String... words) {
    List<String> command = new ArrayList<>(List.of(galop.java().toString()));
    command.addAll(flags);
    command.addAll(List.of("-jar", galop.jar().toAbsolutePath().toString()));
    command.addAll(List.of(words));
    return command;
  }

  private Path home(int i) {
    return directory.resolve(name(i));
  }

  private Path log(int i) {
    return home(i).resolve("log");
  }

  private JsonObject storing() {
    JsonObject off = new JsonObject().put("enabled", false);
    JsonObject ingest = new JsonObject().put("tcp", new JsonObject().put("port", doors[0]));
    ingest.put("mqtt", off).put("bridge", off);
    String[] roles =
        shape.isShown()
            ? new String[] {"ingest", "enrich", "persist", "broadcast"}
            : new String[] {"ingest", "enrich", "persist"};
    return node(0, roles).put("ingest", ingest);
  }

  private JsonArray dialled(int by) {
    JsonArray relays = new JsonArray();
    for (int i : shape.dialledBy(by)) {
      JsonObject relay = new JsonObject().put("host", "localhost").put("port", doors[i]);
      relays.add(relay.put("tls", keys.ofNode()));
    }
    return relays;
  }

  private JsonObject relay(int i) {
    JsonObject link = new JsonObject().put("host", "127.0.0.1").put("port", doors[i]);
    String interest = shape.dialledBy(i).isEmpty() ? "watched" : "all";
    JsonObject broadcast = new JsonObject().put("interest", interest);
    return node(i, "broadcast")
        .put("broadcast", broadcast.put("link", link.put("tls", keys.ofRelay())));
  }

  private JsonObject node(int i, String... roles) {
    JsonObject node = new JsonObject().put("name", name(i));
    node.put("dataDir", home(i).resolve("data").toString())
        .put("roles", new JsonArray(List.of(roles)));
    return new JsonObject()
        .put("node", node)
        .put("relays", dialled(i))
        .put("http", new JsonObject().put("port", https[i]))
        .put("management", new JsonObject().put("port", managements[i]));
  }

  /** The process of the node that feeds all relays. */
  long storingPid() {
    return processes.get(0).pid();
  }

  InetSocketAddress tcp() {
    return Launch.loopback(doors[0]);
  }

  /** Where viewers of a process connect. */
  int http(int node) {
    return https[node];
  }

  /** Where relays tell their figures. */
  List<InetSocketAddress> relayManagements() {
    return IntStream.range(1, nodes).mapToObj(i -> Launch.loopback(managements[i])).toList();
  }

  @Override
  public void close() throws InterruptedException {
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
    Leavings.delete(directory);
  }
}
