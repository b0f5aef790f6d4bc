package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import io.galop.loadtest.targets.RelayKeys;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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
      Path config = Files.createDirectory(home(i)).resolve("galop.yaml");
      Files.writeString(config, (i == 0 ? storing() : relay(i)).encodePrettily());
      List<String> flags = i == 0 ? galop.jvmFlags() : SMALL;
      List<String> command = command(flags, "run", "--config", config.toString());
      galop.settings().forEach(setting -> command.addAll(List.of("--set", setting)));
      processes.add(Launch.run(command, log(i)));
    }
    for (int i = 0; i < nodes; i++) {
      Launch.awaitOk(processes.get(i), managements[i], "/health/ready", log(i));
    }
  }

  private List<String> command(List<String> flags, String... words) {
    List<String> command = new ArrayList<>(List.of(galop.java().toString()));
    command.addAll(flags);
    command.addAll(List.of("-jar", galop.jar().toAbsolutePath().toString()));
    command.addAll(List.of(words));
    return command;
  }

  private Path home(int i) {
    return directory.resolve("node-" + i);
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
    JsonObject node = new JsonObject().put("name", "node-" + i);
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
