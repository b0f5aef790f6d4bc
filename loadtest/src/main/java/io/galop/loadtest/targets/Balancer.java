package io.galop.loadtest.targets;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** HAProxy with the shipped configuration in front of two nodes, with a certificate of its own. */
public final class Balancer implements AutoCloseable {
  private static final long START_SECONDS = 60;
  private static final long LOOK_EVERY_MS = 50;

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
    certify(dir);
    int[] ports = Launch.freePorts(3);
    Path log = dir.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder("haproxy", "-db", "-f", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment(nodes, dir, ports));
    Process process = Leavings.start(builder);
    Balancer balancer = new Balancer(process, dir, Launch.loopback(ports[0]));
    balancer.awaitListening(log);
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

  private static void certify(Path dir) throws IOException, InterruptedException {
    Path key = dir.resolve("key");
    Path certificate = dir.resolve("certificate");
    Path log = dir.resolve("openssl.log");
    List<String> command =
        List.of(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-keyout",
            key.toString(),
            "-out",
            certificate.toString());
    if (Launch.run(command, log).waitFor() != 0) {
      throw new IOException("openssl made no certificate:\n" + Files.readString(log));
    }
    Path both = Files.createDirectory(dir.resolve("certificates")).resolve("localhost.pem");
    Files.writeString(both, Files.readString(certificate) + Files.readString(key));
  }

  private void awaitListening(Path log) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!listens()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        String said = Files.readString(log);
        close();
        throw new IOException("HAProxy did not start:\n" + said);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
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
