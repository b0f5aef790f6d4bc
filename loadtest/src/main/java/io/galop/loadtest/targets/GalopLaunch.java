package io.galop.loadtest.targets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How to start Galop.
 *
 * @param jar galop.jar
 * @param java the JVM's program
 * @param jvmFlags for each node's JVM
 * @param settings for each node, as in {@code broadcast.maxTickMs=50}
 * @param nodes how many: the first has all roles, the others only broadcast
 */
public record GalopLaunch(
    Path jar, Path java, List<String> jvmFlags, List<String> settings, int nodes) {
  private static final int PORTS_PER_NODE = 4;

  /** As many connections as the process may have files, less what else it opens. */
  private static final String MOST_CONNECTIONS = "broadcast.maxConnections=19500";

  public GalopLaunch withNodes(int count) {
    return new GalopLaunch(jar, java, jvmFlags, settings, count);
  }

  /** Starts it and waits until every node is ready. */
  public Started start() throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    int[] ports = Launch.freePorts(PORTS_PER_NODE * nodes);
    List<Process> processes = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      Files.createDirectory(dir.resolve("node-" + node));
      processes.add(Launch.run(command(dir, ports, node), log(dir, node)));
    }
    Started started =
        new Started(
            new Target(
                nodes == 1 ? "galop" : "galop, " + nodes + " nodes",
                IntStream.range(0, nodes)
                    .mapToObj(node -> Launch.loopback(ports[PORTS_PER_NODE * node]))
                    .toList(),
                Launch.loopback(ports[1]),
                processes.stream().map(Process::pid).toList(),
                Target.Filters.WILDCARD),
            processes,
            IntStream.range(0, nodes).mapToObj(node -> ports[PORTS_PER_NODE * node + 2]).toList(),
            () -> Leavings.delete(dir));
    awaitReady(started, processes, dir, ports);
    return started;
  }

  private void awaitReady(Started started, List<Process> processes, Path dir, int[] ports)
      throws IOException, InterruptedException {
    try {
      for (int node = 0; node < nodes; node++) {
        int management = ports[PORTS_PER_NODE * node + 2];
        Launch.awaitOk(processes.get(node), management, "/health/ready", log(dir, node));
      }
    } catch (IOException | InterruptedException e) {
      started.close();
      throw e;
    }
  }

  private static Path log(Path dir, int node) {
    return dir.resolve("node-" + node).resolve("log");
  }

  private List<String> command(Path dir, int[] ports, int node) {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(jvmFlags);
    command.addAll(List.of("-jar", jar.toAbsolutePath().toString(), "run"));
    List<String> all = new ArrayList<>(ownSettings(dir, ports, node));
    all.addAll(settings);
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    if (node > 0) {
      command.addAll(List.of("--roles", "broadcast"));
    }
    return command;
  }

  private List<String> ownSettings(Path dir, int[] ports, int node) {
    int first = PORTS_PER_NODE * node;
    List<String> own = new ArrayList<>();
    own.add("node.dataDir=" + dir.resolve("node-" + node).resolve("data"));
    own.add("http.port=" + ports[first]);
    own.add("ingest.tcp.port=" + ports[first + 1]);
    own.add("management.port=" + ports[first + 2]);
    own.add("ingest.mqtt.enabled=false");
    own.add("ingest.bridge.enabled=false");
    own.add(MOST_CONNECTIONS);
    if (nodes > 1) {
      String members =
          IntStream.range(0, nodes)
              .mapToObj(other -> "127.0.0.1:" + ports[PORTS_PER_NODE * other + 3])
              .collect(Collectors.joining(", ", "cluster.members=[", "]"));
      own.add(members);
      own.add("cluster.port=" + ports[first + 3]);
      own.add("cluster.busPort=0");
      own.add("cluster.name=load-" + Arrays.hashCode(ports));
    }
    return own;
  }
}
