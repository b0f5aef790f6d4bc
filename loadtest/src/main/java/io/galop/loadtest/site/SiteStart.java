package io.galop.loadtest.site;

import io.galop.loadtest.inject.Doors;
import io.galop.loadtest.inject.RingFiles;
import io.galop.loadtest.scenario.DoorWord;
import io.galop.loadtest.scenario.Injection;
import io.galop.loadtest.scenario.StartPlan;
import io.galop.loadtest.scenario.StoreWord;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How to start nodes of Galop.
 *
 * @param jar galop.jar
 * @param java the JVM's program
 * @param jvmFlags for each node's JVM, besides those of the scenario
 * @param settings for each node, as in {@code persist.ack=memory}, besides those of the scenario
 */
public record SiteStart(Path jar, Path java, List<String> jvmFlags, List<String> settings) {
  private static final String GC_LOG = "gc.log";

  /** The same with settings before the others. */
  public SiteStart with(List<String> more) {
    return new SiteStart(
        jar, java, jvmFlags, Stream.concat(more.stream(), settings.stream()).toList());
  }

  /** Starts stores, then nodes, and waits until all are ready. */
  public Site start(StartPlan plan, Injection inject) throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    List<AutoCloseable> ends = new ArrayList<>(List.of(() -> Leavings.delete(dir)));
    try {
      Map<String, Integer> storePorts = stores(plan, dir, ends);
      RingFiles rings = rings(inject, ends);
      int[] ports = Launch.freePorts(NodeFiles.PORTS_PER_NODE * plan.nodes());
      NodeFiles files = new NodeFiles(dir, plan, storePorts, ports, rings);
      return nodes(plan, files, ends);
    } catch (IOException | InterruptedException | RuntimeException e) {
      Site.end(ends);
      throw e;
    }
  }

  /** Files in memory where the machine has such a place; null where no ring is wanted. */
  private @Nullable RingFiles rings(Injection inject, List<AutoCloseable> ends) throws IOException {
    if (inject.door() != DoorWord.RING) {
      return null;
    }
    Path memory = Path.of("/dev/shm");
    Path dir = Files.isWritable(memory) ? Leavings.directory(memory) : Leavings.directory();
    ends.add(() -> Leavings.delete(dir));
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < inject.connections(); i++) {
      paths.add(dir.resolve("ring-" + i));
    }
    return new RingFiles(jar, paths);
  }

  private static Map<String, Integer> stores(StartPlan plan, Path dir, List<AutoCloseable> ends)
      throws IOException, InterruptedException {
    // The servers of MariaDB and PostgreSQL run as other users, who have to get there.
    dir.toFile().setExecutable(true, false);
    Map<String, Integer> ports = new TreeMap<>();
    for (StoreWord store : plan.stores()) {
      int port = Launch.freePorts(1)[0];
      Path home = Files.createDirectory(dir.resolve(store.toString()));
      ends.add(Stores.start(store, home, port));
      ports.put(store.toString(), port);
    }
    return ports;
  }

  private Site nodes(StartPlan plan, NodeFiles files, List<AutoCloseable> ends)
      throws IOException, InterruptedException {
    List<Process> processes = new ArrayList<>();
    List<Path> gcLogs = new ArrayList<>();
    for (int node = 0; node < plan.nodes(); node++) {
      files.write(node);
      gcLogs.add(files.home(node).resolve(GC_LOG));
      Child child = Child.start(command(plan, files, node), files.log(node));
      ends.add(child);
      processes.add(child.process());
    }
    List<InetSocketAddress> browsers = new ArrayList<>();
    List<InetSocketAddress> management = new ArrayList<>();
    for (int node = 0; node < plan.nodes(); node++) {
      browsers.add(Launch.loopback(files.http(node)));
      management.add(Launch.loopback(files.management(node)));
      Launch.awaitOk(processes.get(node), files.management(node), "/health/ready", files.log(node));
    }
    Doors doors =
        new Doors(
            browsers.get(0),
            Launch.loopback(files.tcp(0)),
            Launch.loopback(files.mqtt(0)),
            Launch.loopback(files.bridge(0)),
            files.rings());
    List<Long> pids = processes.stream().map(Process::pid).toList();
    return new Site(doors, browsers, management, pids, gcLogs, ends);
  }

  private List<String> command(StartPlan plan, NodeFiles files, int node) {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.add("-Xlog:gc,gc+phases:file=" + files.home(node).resolve(GC_LOG) + ":timemillis");
    command.addAll(plan.jvmFlags());
    command.addAll(jvmFlags);
    command.addAll(List.of("-jar", jar.toAbsolutePath().toString(), "run"));
    command.addAll(List.of("--config", files.config(node).toString()));
    if (node > 0) {
      command.addAll(List.of("--roles", "broadcast"));
    }
    settings.forEach(setting -> command.addAll(List.of("--set", setting)));
    return command;
  }
}
