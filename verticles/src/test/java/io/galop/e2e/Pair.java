package io.galop.e2e;

import io.galop.servers.Ports;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A node that takes in, enriches and stores, and one in front of it that only broadcasts. */
final class Pair implements AutoCloseable {
  private final Path directory;
  private final List<String> secureArgs;
  private final List<String> secureJvm;
  private final GalopProcess front;
  private GalopProcess secure;

  private Pair(Path directory, List<String> secureArgs, List<String> secureJvm, String cluster) {
    int securePort = Ports.free();
    int frontPort = Ports.free();
    String members =
        "cluster.members=[127.0.0.1:%d, 127.0.0.1:%d]".formatted(securePort, frontPort);
    List<String> both =
        List.of("--set", members, "--set", "cluster.name=" + cluster, "--set", "cluster.busPort=0");
    this.directory = directory;
    this.secureJvm = secureJvm;
    this.secureArgs = new ArrayList<>(secureArgs);
    this.secureArgs.addAll(both);
    this.secureArgs.addAll(List.of("--roles", "ingest,enrich,persist"));
    // The clients of a node that comes back look for it where it was.
    this.secureArgs.addAll(List.of("--set", "ingest.tcp.port=" + Ports.free()));
    this.secureArgs.addAll(List.of("--set", "cluster.port=" + securePort));
    List<String> frontArgs = new ArrayList<>(both);
    frontArgs.addAll(List.of("--roles", "broadcast", "--set", "cluster.port=" + frontPort));
    // The node in front starts first: it must not matter.
    this.front = GalopProcess.run(directory.resolve("front"), List.of(), frontArgs);
    startSecure();
  }

  static Pair start(Path directory, List<String> secureArgs, List<String> secureJvm) {
    Pair pair = new Pair(directory, secureArgs, secureJvm, "test-" + System.nanoTime());
    URI ready = pair.front.management("/health/ready");
    Await.until("the node in front is ready", 120, () -> Stored.get(ready).statusCode() == 200);
    return pair;
  }

  /** Starts the secure node, on its old data and ports. */
  void startSecure() {
    secure = GalopProcess.run(secureData(), secureJvm, secureArgs);
  }

  GalopProcess secure() {
    return secure;
  }

  GalopProcess front() {
    return front;
  }

  Path secureData() {
    return directory.resolve("secure");
  }

  @Override
  public void close() {
    secure.close();
    front.close();
  }
}
