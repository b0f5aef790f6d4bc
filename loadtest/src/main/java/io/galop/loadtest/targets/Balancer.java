package io.galop.loadtest.targets;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** HAProxy with the shipped configuration in front of two nodes, with a certificate of its own. */
public final class Balancer implements AutoCloseable {
  private final Process process;
  private final Path dir;
  private final InetSocketAddress address;

  private Balancer(Process process, Path dir, InetSocketAddress address) {
    this.process = process;
    this.dir = dir;
    this.address = address;
  }

  /**
   * Starts it.
   *
   * @param nodes of which there are two
   * @param configuration docker/haproxy.cfg, which takes all else from its environment
   */
  public static Balancer before(Started nodes, Path configuration)
      throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    Path certificates = Files.createDirectory(dir.resolve("certificates"));
    Certificate.make(dir).together(certificates.resolve("localhost.pem"));
    int[] ports = Launch.freePorts(3);
    Path log = dir.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder("haproxy", "-db", "-f", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment(nodes, dir, ports));
    Process process = Leavings.start(builder);
    Balancer balancer = new Balancer(process, dir, Launch.loopback(ports[0]));
    try {
      Launch.awaitListening(process, balancer.address, log);
    } catch (IOException | InterruptedException e) {
      balancer.close();
      throw e;
    }
    return balancer;
  }

  private static Map<String, String> environment(Started nodes, Path dir, int[] ports) {
    Map<String, String> all = new TreeMap<>();
    all.put("GALOP_BIND", "127.0.0.1:" + ports[0]);
    all.put("GALOP_BIND_PLAIN", "127.0.0.1:" + ports[1]);
    all.put("GALOP_HAPROXY_METRICS", "127.0.0.1:" + ports[2]);
    all.put("GALOP_HAPROXY_SOCKET", dir.resolve("socket").toString());
    all.put("GALOP_CERTIFICATES", dir.resolve("certificates").toString());
    all.put("GALOP_MAX_CONNECTIONS", "9000");
    all.put("GALOP_MAX_CONNECTIONS_PER_ADDRESS", "9000");
    for (int node = 0; node < nodes.managementPorts().size(); node++) {
      String name = "GALOP_NODE_" + (node + 1);
      int port = nodes.target().browsers().get(node).getPort();
      all.put(name, "127.0.0.1:" + port);
      all.put(name + "_HEALTH", "127.0.0.1:" + nodes.managementPorts().get(node));
    }
    return all;
  }

  /** Where browsers connect, over TLS. */
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
    Leavings.delete(dir);
  }
}
